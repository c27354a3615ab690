import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CompactSign, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { onTestFinished } from "vitest";
import { createTokenCheck, type TokenCheck, type TokenOptions } from "../../../src/http/sign-in/tokens.ts";

/** An issuer of tokens whose keys are published on a port of this machine. */
export interface TestIssuer {
  readonly issuer: string;
  readonly audience: string;
  /** How often its keys were fetched. */
  fetches(): number;
  /** Makes a key; it is published at once. */
  addKey(kid: string): Promise<void>;
  /** Takes a key back: it is published no more, and still signs. */
  withdrawKey(kid: string): void;
  /** Away, every fetch fails. */
  setAway(isAway: boolean): void;
  /** Fetches are not answered until it is let go. */
  hold(): { readonly arrived: Promise<void>; letGo(): void };
  sign(
    claims?: JWTPayload,
    options?: { readonly kid?: string; readonly typ?: string; readonly expires?: string | number },
  ): Promise<string>;
  /** A token with exactly this text as its claims. */
  signText(claims: string): Promise<string>;
  /** `clock.now` is the time for the age of keys. */
  check(options?: Partial<TokenOptions>, clock?: { now: number }): Promise<TokenCheck>;
}

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];

export async function openIssuer(issuer = "https://issuer.example/"): Promise<TestIssuer> {
  const audience = "https://tools.example/mcp";
  const published = new Map<string, object>();
  const privateKeys = new Map<string, PrivateKey>();
  let fetches = 0;
  let isAway = false;
  let held: { waiting: ServerResponse[]; arrive(): void } | undefined;
  const answer = (response: ServerResponse): void => void response.end(JSON.stringify({ keys: [...published.values()] }));
  const web = createServer((_request, response) => {
    fetches += 1;
    if (isAway) response.writeHead(503).end();
    else if (held === undefined) answer(response);
    else {
      held.waiting.push(response);
      held.arrive();
    }
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => web.once("listening", resolve));
  onTestFinished(() => void web.close());
  const { port } = web.address() as AddressInfo;

  async function addKey(kid: string): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    privateKeys.set(kid, privateKey);
    published.set(kid, { ...(await exportJWK(publicKey)), kid, alg: "ES256" });
  }

  await addKey("one");
  return {
    issuer,
    audience,
    fetches: () => fetches,
    addKey,
    withdrawKey: (kid) => void published.delete(kid),
    setAway: (away) => (isAway = away),
    hold() {
      const { promise: arrived, resolve: arrive } = withResolvers();
      const own = { waiting: [] as ServerResponse[], arrive };
      held = own;
      return {
        arrived,
        letGo() {
          held = undefined;
          for (const response of own.waiting) answer(response);
        },
      };
    },
    sign: (claims = {}, { kid = "one", typ, expires = "5m" } = {}) =>
      new SignJWT({ iss: issuer, aud: audience, sub: "anna", ...claims })
        .setProtectedHeader({ alg: "ES256", kid, ...(typ !== undefined && { typ }) })
        .setIssuedAt()
        .setExpirationTime(expires)
        .sign(privateKeys.get(kid)!),
    signText: (claims) =>
      new CompactSign(new TextEncoder().encode(claims)).setProtectedHeader({ alg: "ES256", kid: "one" }).sign(privateKeys.get("one")!),
    async check(options = {}, clock) {
      const jwksUrl = `http://127.0.0.1:${port}/jwks.json`;
      const all = { issuer, audience, jwksUrl, allowHosts: [`127.0.0.1:${port}`], ...options };
      const check = await (clock === undefined ? createTokenCheck(all) : createTokenCheck(all, () => clock.now));
      onTestFinished(() => check.close());
      return check;
    },
  };
}

function withResolvers(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
