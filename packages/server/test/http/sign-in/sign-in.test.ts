import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { createFakeClock } from "@toolrack/core/testing";
import { readEvents } from "@toolrack/testkit/events";
import { openTestServer } from "@toolrack/testkit/test-server";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTokenCheck, type TokenCheck } from "../../../src/http/sign-in/tokens.ts";

const policy = { agents: { anonymous: { tools: { allow: ["echo"] } } } };
const echo = { body: { input: { text: "hello" } } };

describe("without keys", () => {
  it("SD10: the owner is whoever has the token of the rack", async () => {
    await using server = await openTestServer();
    expect((await server.request("GET", "/api/v1/keys")).status).toBe(200);
    expect((await server.request("POST", "/api/v1/tools/echo/call", echo)).status).toBe(200);
    expect((await server.rack.calls.list())[0]).toMatchObject({
      tool: "echo",
      caller: { agent: "owner", principal: "owner", owner: true },
    });
    const wrong = `tro_${"x".repeat(43)}`;
    for (const key of [wrong, "tro_", server.rack.ownerToken.text.slice(0, -1)])
      expect((await server.request("GET", "/api/v1/tools", { key })).status).toBe(401);
  });

  it("SD10: whoever sends nothing is the agent anonymous, with what the policy gives it, and without any role", async () => {
    await using server = await openTestServer({ config: { policy } });
    const listed = (await (await server.request("GET", "/api/v1/tools", { key: "" })).json()) as { tools: { name: string }[] };
    expect(listed.tools.map(({ name }) => name)).toEqual(["echo"]);
    expect((await server.request("POST", "/api/v1/tools/echo/call", { ...echo, key: "" })).status).toBe(200);
    const { caller } = (await server.rack.calls.list({ tool: "echo" }))[0]!;
    expect(caller).toMatchObject({ agent: "anonymous", principal: "anonymous" });
    expect(caller.owner).toBeUndefined();
    expect((await server.request("POST", "/api/v1/tools/fail/call", { key: "", body: {} })).status).toBe(403);
    const deeds: [string, string, object?][] = [
      ["GET", "/api/v1/keys"],
      ["POST", "/api/v1/keys", { agent: "eve" }],
      ["POST", "/api/v1/sign-in/codes"],
      ["GET", "/api/v1/approvals"],
      ["POST", "/api/v1/approvals/any/decide", { approved: true, digest: "x" }],
      ["POST", "/api/v1/tools/echo/call", { ...echo.body, runAs: { agent: "owner" } }],
      ["GET", "/api/v1/audit"],
    ];
    for (const [method, path, body] of deeds) {
      const answer = await server.request(method, path, { key: "", ...(body && { body }) });
      expect([path, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([path, 403, "ROLE_MISSING"]);
    }
  });

  it("SD10: what is open without a sign-in ends with the first key", async () => {
    await using server = await openTestServer({ config: { policy: { agents: { ...policy.agents, bot: {} } } } });
    const events = readEvents(await server.request("GET", "/api/v1/events", { key: "" }));
    expect((await events.next()).value).toMatchObject({ event: "ready" });
    await server.rack.keys.create({ agent: "bot", roles: [], by: "test" });
    expect((await events.next()).value).toMatchObject({ event: "error", data: { code: "SIGN_IN_ENDED", status: 401 } });
  });

  it("SD10: nobody is let in who comes from elsewhere or without an address, and the owner's token counts here only", async () => {
    await using server = await openTestServer({ config: { policy } });
    for (const from of ["10.0.0.7", "::ffff:10.0.0.7", ""]) {
      for (const key of ["", server.rack.ownerToken.text])
        expect((await server.request("GET", "/api/v1/tools", { from, key })).status).toBe(401);
    }
    expect((await server.app.fetch(new Request("http://localhost/api/v1/tools"))).status).toBe(401);
  });

  it("SD10: whoever calls the server by a name that is not of this machine is nobody, also with the owner's token", async () => {
    await using server = await openTestServer({ allowedHosts: ["tools.example"], config: { policy } });
    const ask = (host: string, key: string): Promise<Response> => server.request("GET", "/api/v1/tools", { key, headers: { host } });
    for (const key of ["", server.rack.ownerToken.text]) {
      expect((await ask("localhost", key)).status).toBe(200);
      expect((await ask("tools.example", key)).status).toBe(401);
    }
  });

  it.each([
    "Forwarded",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-Forwarded-Anything",
    "Via",
    "X-Real-IP",
    "CF-Connecting-IP",
    "True-Client-IP",
    "X-Client-IP",
    "Fly-Client-IP",
    "X-Cluster-Client-IP",
    "X-Original-URL",
    "X-Original-Host",
    "CDN-Loop",
  ])("SD10: a request with the header %s came through a proxy, and is not from this machine", async (name) => {
    await using server = await openTestServer({ config: { policy } });
    for (const key of ["", server.rack.ownerToken.text]) {
      const answer = await server.request("GET", "/api/v1/tools", { key, headers: { [name]: "127.0.0.1" } });
      expect(answer.status).toBe(401);
    }
  });

  it("trusts nobody where others can reach the server", async () => {
    await using server = await openTestServer({ isExposed: true });
    const answer = await server.request("GET", "/api/v1/tools", { key: "" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="toolrack"');
    expect(await answer.json()).toMatchObject({
      code: "SIGN_IN_REQUIRED",
      status: 401,
      detail: expect.stringContaining("toolrack keys create <agent>") as string,
    });
  });

  it("SD10: where signing in is required, no credential means nobody, from the start", async () => {
    await using server = await openTestServer({ requireSignIn: true, config: { policy } });
    expect((await server.request("GET", "/api/v1/tools", { key: "" })).status).toBe(401);
    expect((await server.request("GET", "/api/v1/tools")).status).toBe(200);
  });
});

describe("the console of the owner", () => {
  const codeOf = async (server: Awaited<ReturnType<typeof openTestServer>>): Promise<string> =>
    ((await (await server.request("POST", "/api/v1/sign-in/codes")).json()) as { code: string }).code;
  const exchange = (server: Awaited<ReturnType<typeof openTestServer>>, code: string): Promise<Response> =>
    server.request("POST", "/api/v1/sign-in", { key: "", body: { code } });

  it("SD10: is signed in to with a code that is good once, and for minutes", async () => {
    const clock = createFakeClock(1_000_000);
    await using server = await openTestServer({ rack: { clock } });
    const code = await codeOf(server);
    const { token } = (await (await exchange(server, code)).json()) as { token: string };
    expect((await server.request("GET", "/api/v1/keys", { key: token })).status).toBe(200);
    expect((await exchange(server, code)).status).toBe(401);
    expect((await exchange(server, "trc_x")).status).toBe(401);
    const old = await codeOf(server);
    await clock.advance(10 * 60_000);
    expect((await exchange(server, old)).status).toBe(401);
    await clock.advance(12 * 3_600_000);
    expect((await server.request("GET", "/api/v1/keys", { key: token })).status).toBe(401);
  });

  it("SD10: has a session that counts on this machine only, and ends when the owner signs out", async () => {
    await using server = await openTestServer();
    const { token } = (await (await exchange(server, await codeOf(server))).json()) as { token: string };
    expect((await server.request("GET", "/api/v1/keys", { key: token, from: "10.0.0.7" })).status).toBe(401);
    expect((await server.request("GET", "/api/v1/keys", { key: token, headers: { via: "1.1 proxy" } })).status).toBe(401);
    expect((await server.request("DELETE", "/api/v1/sign-in", { key: token })).status).toBe(204);
    expect((await server.request("GET", "/api/v1/keys", { key: token })).status).toBe(401);
  });

  it("SD10: no key makes a code, whatever its roles", async () => {
    await using server = await openTestServer();
    const { secret } = await server.rack.keys.create({ agent: "anna", roles: ["admin", "owner"], by: "test" });
    expect((await server.request("POST", "/api/v1/sign-in/codes", { key: secret })).status).toBe(403);
  });
});

describe("with keys", () => {
  it("SD10: no credential means nobody once there was a key: also when the last one was revoked, and after a restart", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-sign-in-"));
    const config = { store: { sqlite: join(folder, "a.db") }, policy };
    try {
      {
        await using server = await openTestServer({ config });
        expect((await server.request("GET", "/api/v1/tools", { key: "" })).status).toBe(200);
        const { id } = await server.rack.keys.create({ agent: "ci", roles: [], by: "test" });
        expect((await server.request("GET", "/api/v1/tools", { key: "" })).status).toBe(401);
        expect(await server.rack.keys.revoke(id, "test")).toBe(true);
        expect(await server.rack.keys.list()).toEqual([]);
        expect((await server.request("GET", "/api/v1/tools", { key: "" })).status).toBe(401);
      }
      await using again = await openTestServer({ config });
      expect((await again.request("GET", "/api/v1/tools", { key: "" })).status).toBe(401);
      expect((await again.request("GET", "/api/v1/keys")).status).toBe(200);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each(["owner", "local", "anonymous", "server", "Owner"])("SD10: no key and no token can be for the agent %s", async (agent) => {
    const found = { agent, roles: [], principal: `token https://issuer.example ${agent}`, expiresAt: Date.now() + 60_000 };
    const check = Object.assign(() => Promise.resolve(found), { issuer: "https://issuer.example", close: async () => {} });
    await using server = await openTestServer({ tokens: check });
    expect((await server.request("POST", "/api/v1/keys", { body: { agent } })).status).toBe(400);
    expect((await server.request("GET", "/api/v1/tools", { key: "some.web.token" })).status).toBe(401);
  });

  it("SD10: a key of before for a name that the server gives itself opens nothing", async () => {
    await using server = await openTestServer();
    const key = { id: "0123456789abcdef", roles: ["admin"], createdAt: 0, createdBy: "test" } as const;
    const secret = `trk_${key.id}_${"x".repeat(43)}`;
    for (const [agent, status] of [
      ["anna", 200],
      ["owner", 401],
      ["Local", 401],
    ] as const) {
      Object.assign(server.rack.keys, { verify: async () => ({ ...key, agent }) });
      expect((await server.request("GET", "/api/v1/keys", { key: secret })).status).toBe(status);
    }
  });

  it("makes the caller the agent of the key, with its roles and those that they contain", async () => {
    await using server = await openTestServer();
    const { secret: curator } = await server.rack.keys.create({ agent: "anna", roles: ["curator"], by: "test" });
    const { secret: plain } = await server.rack.keys.create({ agent: "bot", roles: [], by: "test" });
    expect((await server.request("GET", "/api/v1/audit", { key: curator })).status).toBe(200);
    expect((await server.request("GET", "/metrics", { key: curator })).status).toBe(200);
    expect((await server.request("GET", "/api/v1/keys", { key: curator })).status).toBe(403);
    expect((await server.request("GET", "/api/v1/audit", { key: plain })).status).toBe(403);
    await server.request("POST", "/api/v1/tools/echo/call", { key: plain, from: "10.0.0.7", body: { input: { text: "hello" } } });
    expect((await server.rack.calls.list({ tool: "echo" }))[0]?.caller).toMatchObject({ agent: "bot" });
  });

  it("refuses unknown, revoked and malformed keys with one and the same answer", async () => {
    await using server = await openTestServer();
    const { secret, id } = await server.rack.keys.create({ agent: "bot", roles: [], by: "test" });
    await server.rack.keys.revoke(id, "test");
    const answers = new Set<string>();
    for (const authorization of [`Bearer ${secret}`, `Bearer ${secret}x`, "Bearer trk_", "Bearer ", "Basic YTpi", "Bearer ey.ey.ey", "x"]) {
      const answer = await server.request("GET", "/api/v1/tools", { headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="toolrack"');
      answers.add(await answer.text());
    }
    expect([...answers].map((text) => (JSON.parse(text) as { code: string }).code)).toEqual(["SIGN_IN_REFUSED"]);
  });
});

describe("with tokens", () => {
  const issuer = "https://issuer.example";
  const audience = "https://tools.example/mcp";
  const folder = mkdtempSync(join(tmpdir(), "toolrack-tokens-"));
  let check: TokenCheck;
  let sign: (claims: JWTPayload, changes?: { alg?: string; kid?: string; expires?: string | null }) => Promise<string>;
  let jwks: { keys: unknown[] };

  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }] };
    writeFileSync(join(folder, "jwks.json"), JSON.stringify(jwks));
    sign = (claims, { kid = "one", expires = "5m" } = {}) => {
      const token = new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid }).setIssuedAt();
      return (expires === null ? token : token.setExpirationTime(expires)).sign(privateKey);
    };
    check = await createTokenCheck({ issuer, audience, jwksFile: join(folder, "jwks.json") });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("takes agent and roles from a valid token", async () => {
    await using server = await openTestServer({ tokens: check, isExposed: true });
    const token = await sign({ iss: issuer, aud: audience, sub: "anna", roles: ["curator", "emperor"] });
    expect((await server.request("GET", "/api/v1/audit", { key: token })).status).toBe(200);
    expect((await server.request("GET", "/api/v1/keys", { key: token })).status).toBe(403);
  });

  it("M3: makes nobody the owner, whatever the roles of a token say", async () => {
    await using server = await openTestServer({ tokens: check, isExposed: true });
    const token = await sign({ iss: issuer, aud: audience, sub: "anna", roles: ["owner", "admin"] });
    const made = await server.request("POST", "/api/v1/keys", { key: token, body: { agent: "bob", roles: ["owner"] } });
    expect(await made.json()).toMatchObject({ status: 403, code: "ROLE_MISSING" });
    const owned = defineTool({ name: "owned", description: "X", inputSchema: {}, metadata: { ownerOnly: true }, handler: () => "open" });
    server.rack.registry.register(owned);
    expect((await server.request("POST", "/api/v1/tools/owned/call", { key: token, body: { input: {} } })).status).toBe(403);
  });

  it("SD21: refuses agents with spaces around or twice, reserved names in any writing, and other spellings of a listed agent", async () => {
    const config = { agents: { anna: {}, "Mary Jane": {} } };
    await using server = await openTestServer({ tokens: check, isExposed: true, config });
    const status = async (sub: string): Promise<number> => {
      const key = await sign({ iss: issuer, aud: audience, sub });
      return (await server.request("GET", "/api/v1/tools", { key })).status;
    };
    for (const right of ["anna", "Mary Jane", "somebody"]) expect(await status(right), right).toBe(200);
    for (const odd of ["anna ", "  anna", "\u00a0anna", "Mary  Jane"]) expect(await status(odd), odd).toBe(401);
    for (const reserved of ["owner ", "OWNER", " Local", "\u2003server"]) expect(await status(reserved), reserved).toBe(401);
    for (const spelling of ["ANNA", "Anna", "mary jane"]) expect(await status(spelling), spelling).toBe(401);
  });

  it("SD21: refuses agents and subjects that could pass for others: fullwidth, invisible, turned round, of mixed alphabets", async () => {
    await using server = await openTestServer({ tokens: check, isExposed: true });
    const status = async (sub: string): Promise<number> => {
      const key = await sign({ iss: issuer, aud: audience, sub });
      return (await server.request("GET", "/api/v1/tools", { key })).status;
    };
    for (const right of ["admin", "zoë", "анна", "名前", "team α"]) expect(await status(right), right).toBe(200);
    const alike = [
      "ａdmin",
      "ad\u200dmin",
      "ad\u200bmin",
      "\u202eadmin",
      "admin\ufe0f",
      "аdmin",
      "zoe\u0308",
      "ﬁx",
      "ad\u034fmin",
      "ad\u3164min",
    ];
    for (const odd of alike) expect([odd, await status(odd)]).toEqual([odd, 401]);
    // Also where somebody else checks the tokens.
    await using own = await openTestServer({
      tokens: Object.assign(async () => ({ agent: "ａdmin", roles: [], principal: "token x y", expiresAt: Date.now() + 60_000 }), {
        issuer,
        close: async () => undefined,
      }),
      isExposed: true,
    });
    expect((await own.request("GET", "/api/v1/tools", { key: "a.b.c" })).status).toBe(401);
  });

  it("refuses another issuer, another audience, no subject, an expired one, and one without an end", async () => {
    const right = { iss: issuer, aud: audience, sub: "anna" };
    expect(await check(await sign(right))).toMatchObject({ agent: "anna", roles: [] });
    expect(await check(await sign({ ...right, iss: "https://other.example" }))).toBeUndefined();
    expect(await check(await sign({ ...right, aud: "https://other.example" }))).toBeUndefined();
    expect(await check(await sign({ iss: issuer, aud: audience }))).toBeUndefined();
    expect(await check(await sign(right, { expires: "-2m" }))).toBeUndefined();
    expect(await check(await sign(right, { expires: null }))).toBeUndefined();
  });

  it("refuses a token that is signed with another key, with a shared secret, or not at all", async () => {
    const claims = { iss: issuer, aud: audience, sub: "anna", exp: Math.floor(Date.now() / 1_000) + 300 };
    const { privateKey } = await generateKeyPair("ES256");
    const foreign = await new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "one" }).sign(privateKey);
    const shared = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", kid: "one" })
      .sign(Buffer.from(JSON.stringify(jwks.keys[0])));
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const unsigned = `${encode({ alg: "none" })}.${encode(claims)}.`;
    for (const token of [foreign, shared, unsigned, "a.b.c", ""]) expect(await check(token)).toBeUndefined();
  });

  it("refuses algorithms that are not to be trusted, and settings by halves, at the start", async () => {
    const file = join(folder, "jwks.json");
    for (const options of [
      { issuer, audience, jwksFile: file, algorithms: ["none"] },
      { issuer, audience, jwksFile: file, algorithms: ["HS256"] },
      { issuer, audience, jwksFile: file, algorithms: [] },
      { issuer: "", audience, jwksFile: file },
      { issuer, audience },
      { issuer, audience, jwksFile: join(folder, "absent.json") },
    ])
      await expect(createTokenCheck(options)).rejects.toMatchObject({ code: "TOKENS_INVALID" });
  });

  it("SD17: refuses keys over http, and a file of keys that other users may write", async () => {
    const plain = createTokenCheck({ issuer, audience, jwksUrl: "http://issuer.example/jwks.json", allowHosts: ["issuer.example"] });
    await expect(plain).rejects.toMatchObject({ code: "TOKENS_INVALID", message: expect.stringContaining("https only") as string });
    const file = join(folder, "open.json");
    writeFileSync(file, JSON.stringify(jwks));
    chmodSync(file, 0o664);
    await expect(createTokenCheck({ issuer, audience, jwksFile: file })).rejects.toMatchObject({
      code: "TOKENS_INVALID",
      message: expect.stringContaining(`chmod go-w ${file}`) as string,
    });
    chmodSync(file, 0o644);
    await (await createTokenCheck({ issuer, audience, jwksFile: file })).close();
  });

  it("fetches keys from an address, through the fetch that cannot be turned inward", async () => {
    const web = createServer((_, response) => response.end(JSON.stringify(jwks))).listen(0, "127.0.0.1");
    await new Promise((resolve) => web.once("listening", resolve));
    const { port } = web.address() as AddressInfo;
    const jwksUrl = `http://127.0.0.1:${port}/jwks.json`;
    await expect(createTokenCheck({ issuer, audience, jwksUrl })).rejects.toMatchObject({ code: "TOKENS_INVALID" });
    const fetched = await createTokenCheck({ issuer, audience, jwksUrl, allowHosts: [`127.0.0.1:${port}`] });
    expect(await fetched(await sign({ iss: issuer, aud: audience, sub: "anna" }))).toMatchObject({ agent: "anna" });
    await fetched.close();
    web.close();
  });

  it("tells MCP clients where tokens come from", async () => {
    await using server = await openTestServer({ tokens: check, isExposed: true });
    const refused = await server.request("POST", "/mcp", { key: "", body: { jsonrpc: "2.0", id: 1, method: "ping" } });
    expect(refused.status).toBe(401);
    const place = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "")?.[1];
    expect(place).toBe("http://localhost/.well-known/oauth-protected-resource/mcp");
    const described = await server.request("GET", new URL(place!).pathname);
    expect(await described.json()).toEqual({
      resource: "http://localhost/mcp",
      authorization_servers: [issuer],
      bearer_methods_supported: ["header"],
    });
  });
});
