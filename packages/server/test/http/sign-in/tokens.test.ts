import { startLoopback } from "@toolrack/testkit/loopback";
import type { JWTPayload } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRefusalLog } from "../../../src/http/limits/refusal-log.ts";
import { createTokenCheck } from "../../../src/http/sign-in/tokens.ts";
import { openIssuer } from "./issuer.ts";

const minute = 60_000;

describe("the keys of an issuer", () => {
  it("SD18: tokens with a new key that come at once are all accepted, and the keys are fetched once", async () => {
    const issuer = await openIssuer();
    const check = await issuer.check();
    await issuer.addKey("two");
    const before = issuer.fetches();
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, index) => issuer.sign({ sub: `agent-${index}` }, { kid: "two" })));
    const found = await Promise.all(tokens.map((token) => check(token)));
    expect(found.map((holder) => holder?.agent)).toEqual(Array.from({ length: 50 }, (_, index) => `agent-${index}`));
    expect(issuer.fetches() - before).toBe(1);
  });

  it("SD18: a token that comes while the keys are being fetched waits for them", async () => {
    const issuer = await openIssuer();
    const check = await issuer.check();
    await issuer.addKey("two");
    const held = issuer.hold();
    const first = check(await issuer.sign({ sub: "first" }, { kid: "two" }));
    await held.arrived;
    const second = check(await issuer.sign({ sub: "second" }, { kid: "two" }));
    held.letGo();
    expect((await Promise.all([first, second])).map((holder) => holder?.agent)).toEqual(["first", "second"]);
  });

  it("SD18: keys may be replaced twice within seconds", async () => {
    const issuer = await openIssuer();
    const check = await issuer.check();
    for (const kid of ["two", "three"]) {
      await issuer.addKey(kid);
      expect(await check(await issuer.sign({}, { kid }))).toMatchObject({ agent: "anna" });
    }
  });

  it("SD18: tokens with made-up keys do not make the server fetch again and again", async () => {
    const issuer = await openIssuer();
    const clock = { now: 0 };
    const check = await issuer.check({}, clock);
    await issuer.addKey("stolen");
    issuer.withdrawKey("stolen");
    const token = await issuer.sign({}, { kid: "stolen" });
    const before = issuer.fetches();
    for (let attempt = 0; attempt < 20; attempt++) expect(await check(token)).toBeUndefined();
    expect(issuer.fetches() - before).toBe(1);
    clock.now += 11_000;
    expect(await check(token)).toBeUndefined();
    expect(issuer.fetches() - before).toBe(2);
  });

  it("SD19: a withdrawn key is refused once the keys are five minutes old", async () => {
    const issuer = await openIssuer();
    const clock = { now: 0 };
    const check = await issuer.check({}, clock);
    await issuer.addKey("two");
    const token = await issuer.sign();
    issuer.withdrawKey("one");
    clock.now = 4 * minute;
    expect(await check(token)).toMatchObject({ agent: "anna" });
    clock.now = 5 * minute;
    expect(await check(token)).toBeUndefined();
    expect(await check(await issuer.sign({}, { kid: "two" }))).toMatchObject({ agent: "anna" });
  });

  it("SD19: the age of keys can be set", async () => {
    const issuer = await openIssuer();
    const clock = { now: 0 };
    const check = await issuer.check({ keysMaxAgeMs: 1_000 }, clock);
    const token = await issuer.sign();
    issuer.withdrawKey("one");
    clock.now = 999;
    expect(await check(token)).toMatchObject({ agent: "anna" });
    clock.now = 1_000;
    expect(await check(token)).toBeUndefined();
  });

  it("SD19: while the issuer is away its keys hold for an hour, and then no token is accepted until it is back", async () => {
    const issuer = await openIssuer();
    const clock = { now: 0 };
    const check = await issuer.check({}, clock);
    const token = await issuer.sign();
    issuer.setAway(true);
    clock.now = 59 * minute;
    const before = issuer.fetches();
    for (let attempt = 0; attempt < 10; attempt++) expect(await check(token)).toMatchObject({ agent: "anna" });
    expect(issuer.fetches() - before).toBe(1);
    clock.now = 60 * minute;
    expect(await check(token)).toBeUndefined();
    issuer.setAway(false);
    clock.now = 61 * minute;
    expect(await check(token)).toMatchObject({ agent: "anna" });
  });

  it("an issuer that is away at the start is told, and its tokens are accepted once it is back", async () => {
    const issuer = await openIssuer();
    const clock = { now: 0 };
    issuer.setAway(true);
    const [away, refused]: [string[], string[]] = [[], []];
    const check = await issuer.check({ onAway: (reason) => away.push(reason), onRefused: (reason) => refused.push(reason) }, clock);
    const token = await issuer.sign();
    for (let attempt = 0; attempt < 10; attempt++) expect(await check(token)).toBeUndefined();
    expect([away, new Set(refused), issuer.fetches()]).toEqual([
      ["it answered 503"],
      new Set(["the keys of its issuer cannot be read now"]),
      1,
    ]);
    issuer.setAway(false);
    clock.now = 10_000;
    expect(await check(token)).toMatchObject({ agent: "anna" });
  });

  it("an address that is wrong stops the start", async () => {
    const web = await startLoopback((_, response) => void response.writeHead(404).end());
    onTestFinished(() => web[Symbol.asyncDispose]());
    const options = { issuer: "https://issuer.example/", audience: "tools", allowHosts: [web.host] };
    await expect(createTokenCheck({ ...options, jwksUrl: `${web.url}/jwks.json` })).rejects.toMatchObject({ code: "TOKENS_INVALID" });
  });
});

/** What the issuers that people use write into tokens, as far as it says which kind of token it is. */
const access: Readonly<Record<string, { readonly typ?: string; readonly claims: JWTPayload }>> = {
  "RFC 9068": { typ: "at+jwt", claims: { client_id: "app", auth_time: 1, acr: "1" } },
  "RFC 9068, with the whole media type": { typ: "application/at+jwt", claims: {} },
  "an issuer of one's own": { claims: { roles: ["emitter"] } },
  Auth0: { typ: "JWT", claims: { azp: "app", scope: "openid profile" } },
  "Auth0, of a machine": { typ: "JWT", claims: { azp: "app", gty: "client-credentials" } },
  "Entra, v2": { typ: "JWT", claims: { ver: "2.0", tid: "t", azp: "app", azpacr: "1", scp: "tools.call", name: "Anna" } },
  "Entra, v2, of a machine": { typ: "JWT", claims: { ver: "2.0", tid: "t", azp: "app", azpacr: "1" } },
  "Entra, v1": { typ: "JWT", claims: { ver: "1.0", tid: "t", appid: "app", appidacr: "1", amr: ["pwd"], scp: "tools.call" } },
  Keycloak: { typ: "JWT", claims: { typ: "Bearer", azp: "app", sid: "s", acr: "1", scope: "openid" } },
  "Keycloak before 24": { typ: "JWT", claims: { typ: "Bearer", nonce: "n", azp: "app", session_state: "s", scope: "openid" } },
  Okta: { claims: { ver: 1, cid: "app", uid: "u", scp: ["tools"], auth_time: 1 } },
  Cognito: {
    claims: { aud: undefined, token_use: "access", client_id: "https://tools.example/mcp", scope: "aws.cognito.signin.user.admin" },
  },
};

const others: Readonly<Record<string, { readonly typ?: string; readonly claims: JWTPayload }>> = {
  "an ID token with a nonce": { typ: "JWT", claims: { nonce: "n" } },
  "an ID token of the hybrid flow": { typ: "JWT", claims: { c_hash: "h" } },
  "an ID token with a scope": { typ: "JWT", claims: { at_hash: "h", scope: "openid" } },
  "an ID token of Auth0 without a nonce": { typ: "JWT", claims: { sid: "s", name: "Anna", email: "anna@example.com" } },
  "an ID token of Entra without a nonce": { typ: "JWT", claims: { ver: "2.0", tid: "t", oid: "o", name: "Anna" } },
  "an ID token of Keycloak": { typ: "JWT", claims: { typ: "ID", azp: "app", sid: "s" } },
  "a refresh token of Keycloak": { typ: "JWT", claims: { typ: "Refresh", azp: "app", scope: "openid" } },
  "an ID token of Okta": { claims: { ver: 1, amr: ["pwd"], idp: "i", auth_time: 1, at_hash: "h" } },
  "an ID token of Cognito": { claims: { token_use: "id", "cognito:username": "anna", auth_time: 1 } },
  "an ID token of Google": { typ: "JWT", claims: { azp: "app", email: "anna@example.com" } },
  "an ID token that says at+jwt": { typ: "at+jwt", claims: { token_use: "id" } },
  "a logout token": { typ: "logout+jwt", claims: { events: {} } },
  "a logout token without its type": { typ: "JWT", claims: { events: { "http://schemas.openid.net/event/backchannel-logout": {} } } },
  "an identity assertion": { typ: "oauth-id-jag+jwt", claims: { client_id: "app", scope: "tools" } },
  "a proof of possession": { typ: "dpop+jwt", claims: {} },
};

describe("SD20: the kind of a token", () => {
  it.each(Object.entries(access))("an access token is accepted: %s", async (_name, { claims, typ }) => {
    const issuer = await openIssuer();
    const check = await issuer.check();
    expect(await check(await issuer.sign(claims, typ === undefined ? {} : { typ }))).toMatchObject({ agent: "anna" });
  });

  it.each(Object.entries(others))("what is not one is refused: %s", async (_name, { claims, typ }) => {
    const issuer = await openIssuer();
    const check = await issuer.check();
    expect(await check(await issuer.sign(claims, typ === undefined ? {} : { typ }))).toBeUndefined();
  });

  it("where the type is required, only at+jwt is accepted", async () => {
    const issuer = await openIssuer();
    const check = await issuer.check({ requireType: true });
    const found = await Promise.all(
      Object.values(access).map(async ({ claims, typ }) => check(await issuer.sign(claims, { typ: typ ?? "JWT" }))),
    );
    expect(found.filter((holder) => holder !== undefined)).toHaveLength(2);
  });

  it("an access token of Cognito for another client is refused", async () => {
    const issuer = await openIssuer();
    const check = await issuer.check();
    expect(await check(await issuer.sign({ aud: undefined as never, token_use: "access", client_id: "other" }))).toBeUndefined();
    expect(await check(await issuer.sign({ aud: undefined as never, client_id: issuer.audience }))).toBeUndefined();
  });
});

describe("the subject of a token", () => {
  it("SD21: the principal is the issuer and the subject, whichever claim names the agent", async () => {
    const issuer = await openIssuer();
    const check = await issuer.check({ agentClaim: "client_id" });
    expect(await check(await issuer.sign({ sub: "42", client_id: "support" }))).toMatchObject({
      agent: "support",
      principal: "token https://issuer.example/ 42",
    });
    expect(await check(await issuer.sign({ sub: undefined as never, client_id: "support" }))).toBeUndefined();
  });

  it.each(["owner", "local", "anonymous", "server", "Local"])("SD21: the reserved agent %s is refused", async (sub) => {
    const issuer = await openIssuer();
    const check = await issuer.check();
    expect(await check(await issuer.sign({ sub }))).toBeUndefined();
  });

  it.each(["a\nb", "a\u0000b", "\u202eanna", "a\u2028b", "", "x".repeat(256)])(
    "SD22: a subject that is not printable is refused: %j",
    async (sub) => {
      const issuer = await openIssuer();
      const check = await issuer.check();
      expect(await check(await issuer.sign({ sub }))).toBeUndefined();
    },
  );

  it("SD22: a subject that is not printable is refused also where another claim names the agent", async () => {
    const issuer = await openIssuer();
    const check = await issuer.check({ agentClaim: "client_id" });
    expect(await check(await issuer.sign({ sub: "42", client_id: "support" }))).toMatchObject({ agent: "support" });
    expect(await check(await issuer.sign({ sub: "\u202e42", client_id: "support" }))).toBeUndefined();
  });
});

describe("why a token is refused", () => {
  it("is told to the log and not to the caller", async () => {
    const issuer = await openIssuer();
    const reasons: string[] = [];
    const check = await issuer.check({ onRefused: (reason) => reasons.push(reason) });
    const refused = [
      await issuer.sign({ aud: "https://other.example" }),
      await issuer.sign({}, { expires: 1_000 }),
      await issuer.sign({ nonce: "n" }),
      await issuer.sign({ sub: "owner" }),
      await issuer.sign({ iss: "https://else.example/" }),
      "not.a.token",
      await issuer.sign({ sub: undefined }),
      await issuer.sign({ nbf: Math.floor(Date.now() / 1_000) + 3_600 }),
      await issuer.sign({ iss: undefined }),
    ];
    for (const token of refused) expect(await check(token)).toBeUndefined();
    expect(reasons).toEqual([
      `it is for another audience than ${issuer.audience}`,
      "it has expired",
      "it is not an access token; an ID token, for instance, is none",
      'its claim "sub" names an agent that only the server itself may be',
      `it is of another issuer than ${issuer.issuer}`,
      "it cannot be read as a JSON Web Token",
      'its claim "sub" is missing',
      "it is not valid yet",
      'its claim "iss" is missing',
    ]);
    expect(await check(await issuer.sign())).toBeDefined();
    expect(reasons).toHaveLength(9);
  });

  it("is one line of the log in a minute, with how many were left out", () => {
    const lines: unknown[] = [];
    let time = 0;
    const tell = createRefusalLog({ warn: (message, fields) => void lines.push([message, fields]) }, () => time);
    for (let attempt = 0; attempt < 1_000; attempt++) tell("it has expired");
    tell("it is not valid yet");
    time = 60_000;
    tell("it has expired");
    expect(lines).toEqual([
      ["A token was refused.", { reason: "it has expired" }],
      ["A token was refused.", { reason: "it is not valid yet" }],
      ["A token was refused.", { reason: "it has expired", sinceLastLine: 999 }],
    ]);
  });
});

describe("TD9: claims that can be read in two ways, or that never end, are refused", () => {
  const claimsWith = (more: Readonly<Record<string, string>>): string => {
    const seconds = Math.floor(Date.now() / 1_000);
    const iss = '"iss":"https://issuer.example/","aud":"https://tools.example/mcp","sub":"anna"';
    const times = { iat: `"iat":${seconds}`, exp: `"exp":${seconds + 300}`, ...more };
    return `{${iss},${Object.values(times).join(",")}}`;
  };
  const soon = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

  it.each<[string, () => string, string | undefined]>([
    ["the usual claims", () => claimsWith({}), undefined],
    ["whole numbers that a double cannot hold", () => claimsWith({ more: '"account":12345678901234567890' }), undefined],
    ["a clock that is a few seconds ahead", () => claimsWith({ iat: `"iat":${soon(20)}` }), undefined],
    ["no iat", () => claimsWith({ iat: '"scope":"a"' }), undefined],
    ["equal claims in objects of their own", () => claimsWith({ more: '"one":{"sub":1},"two":{"sub":2}' }), undefined],
    ["an exp that is infinite", () => claimsWith({ exp: '"exp":1e400' }), 'its claim "exp" is no time before the year 10000'],
    [
      "an exp in milliseconds",
      () => claimsWith({ exp: `"exp":${Date.now() + 300_000}` }),
      'its claim "exp" is no time before the year 10000',
    ],
    ["a claim twice", () => claimsWith({ more: '"sub":"boss"' }), "a claim occurs twice in it"],
    ["a claim twice, once with escapes", () => claimsWith({ more: '"s\\u0075b":"boss"' }), "a claim occurs twice in it"],
    ["a claim twice further down", () => claimsWith({ more: '"realm":{"roles":1,"roles":2}' }), "a claim occurs twice in it"],
    ["an iat to come", () => claimsWith({ iat: `"iat":${soon(120)}` }), 'its claim "iat" is in the future'],
    ["an iat that is infinite", () => claimsWith({ iat: '"iat":1e400' }), 'its claim "iat" is in the future'],
    ["an iat that is no time", () => claimsWith({ iat: '"iat":"now"' }), 'its claim "iat" is not as it must be'],
  ])("%s", async (_what, claims, reason) => {
    const issuer = await openIssuer();
    const reasons: string[] = [];
    const check = await issuer.check({ onRefused: (why) => void reasons.push(why) });
    const found = await check(await issuer.signText(claims()));
    expect([found?.agent, reasons]).toEqual(reason === undefined ? ["anna", []] : [undefined, [reason]]);
  });
});
