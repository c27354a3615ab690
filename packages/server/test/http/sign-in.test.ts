import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTokenCheck, type TokenCheck } from "../../src/http/tokens.ts";
import { openTestServer } from "./rack.ts";

describe("without keys", () => {
  it("trusts this machine as the owner, agent local", async () => {
    await using server = await openTestServer();
    expect((await server.ask("GET", "/api/v1/keys")).status).toBe(200);
    const called = await server.ask("POST", "/api/v1/tools/echo/call", { body: { input: { text: "hello" } } });
    expect(called.status).toBe(200);
    expect((await server.rack.calls.list())[0]).toMatchObject({ tool: "echo", caller: { agent: "local", owner: true } });
  });

  it("trusts nobody who comes from elsewhere, through a proxy, or without an address", async () => {
    await using server = await openTestServer();
    for (const from of ["10.0.0.7", "::ffff:10.0.0.7", ""]) expect((await server.ask("GET", "/api/v1/tools", { from })).status).toBe(401);
    for (const header of ["x-forwarded-for", "forwarded"])
      expect((await server.ask("GET", "/api/v1/tools", { headers: { [header]: "10.0.0.7" } })).status).toBe(401);
    expect((await server.app.fetch(new Request("http://localhost/api/v1/tools"))).status).toBe(401);
  });

  it("trusts nobody where others can reach the server", async () => {
    await using server = await openTestServer({ isExposed: true });
    const answer = await server.ask("GET", "/api/v1/tools");
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="toolrack"');
    expect(await answer.json()).toMatchObject({ code: "SIGN_IN_REQUIRED", status: 401 });
  });
});

describe("with keys", () => {
  it("leaves this machine agent local without any role", async () => {
    await using server = await openTestServer();
    await server.rack.keys.create({ agent: "ci", roles: [], by: "test" });
    expect((await server.ask("GET", "/api/v1/tools")).status).toBe(200);
    const refused = await server.ask("GET", "/api/v1/keys");
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: "ROLE_MISSING", detail: expect.stringContaining('"local"') as string });
    await server.ask("POST", "/api/v1/tools/echo/call", { body: { input: { text: "hello" } } });
    expect((await server.rack.calls.list({ tool: "echo" }))[0]?.caller.owner).toBeUndefined();
  });

  it("makes the caller the agent of the key, with its roles and those that they contain", async () => {
    await using server = await openTestServer();
    const { secret: curator } = await server.rack.keys.create({ agent: "anna", roles: ["curator"], by: "test" });
    const { secret: plain } = await server.rack.keys.create({ agent: "bot", roles: [], by: "test" });
    expect((await server.ask("GET", "/api/v1/audit", { key: curator })).status).toBe(200);
    expect((await server.ask("GET", "/metrics", { key: curator })).status).toBe(200);
    expect((await server.ask("GET", "/api/v1/keys", { key: curator })).status).toBe(403);
    expect((await server.ask("GET", "/api/v1/audit", { key: plain })).status).toBe(403);
    await server.ask("POST", "/api/v1/tools/echo/call", { key: plain, from: "10.0.0.7", body: { input: { text: "hello" } } });
    expect((await server.rack.calls.list({ tool: "echo" }))[0]?.caller).toMatchObject({ agent: "bot" });
  });

  it("refuses unknown, revoked and malformed keys with one and the same answer", async () => {
    await using server = await openTestServer();
    const { secret, id } = await server.rack.keys.create({ agent: "bot", roles: [], by: "test" });
    await server.rack.keys.revoke(id, "test");
    const answers = new Set<string>();
    for (const authorization of [`Bearer ${secret}`, `Bearer ${secret}x`, "Bearer trk_", "Bearer ", "Basic YTpi", "Bearer ey.ey.ey", "x"]) {
      const answer = await server.ask("GET", "/api/v1/tools", { headers: { authorization } });
      expect(answer.status).toBe(401);
      answers.add(await answer.text());
    }
    expect(answers.size).toBe(1);
  });
});

describe("with tokens", () => {
  const issuer = "https://issuer.example";
  const audience = "https://tools.example/mcp";
  const folder = mkdtempSync(join(tmpdir(), "toolrack-tokens-"));
  let check: TokenCheck;
  let sign: (claims: JWTPayload, changes?: { alg?: string; kid?: string; expires?: string }) => Promise<string>;
  let jwks: { keys: unknown[] };

  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES256");
    jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }] };
    writeFileSync(join(folder, "jwks.json"), JSON.stringify(jwks));
    sign = (claims, { kid = "one", expires = "5m" } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid }).setIssuedAt().setExpirationTime(expires).sign(privateKey);
    check = await createTokenCheck({ issuer, audience, jwksFile: join(folder, "jwks.json") });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("takes agent and roles from a valid token", async () => {
    await using server = await openTestServer({ tokens: check, isExposed: true });
    const token = await sign({ iss: issuer, aud: audience, sub: "anna", roles: ["curator", "emperor"] });
    expect((await server.ask("GET", "/api/v1/audit", { key: token })).status).toBe(200);
    expect((await server.ask("GET", "/api/v1/keys", { key: token })).status).toBe(403);
  });

  it("refuses another issuer, another audience, no subject, an expired one, and one without an end", async () => {
    const right = { iss: issuer, aud: audience, sub: "anna" };
    expect(await check(await sign(right))).toMatchObject({ agent: "anna", roles: [] });
    expect(await check(await sign({ ...right, iss: "https://other.example" }))).toBeUndefined();
    expect(await check(await sign({ ...right, aud: "https://other.example" }))).toBeUndefined();
    expect(await check(await sign({ iss: issuer, aud: audience }))).toBeUndefined();
    expect(await check(await sign(right, { expires: "-2m" }))).toBeUndefined();
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
    const refused = await server.ask("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "ping" } });
    expect(refused.status).toBe(401);
    const place = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "")?.[1];
    expect(place).toBe("http://localhost/.well-known/oauth-protected-resource/mcp");
    const described = await server.ask("GET", new URL(place!).pathname);
    expect(await described.json()).toEqual({
      resource: "http://localhost/mcp",
      authorization_servers: [issuer],
      bearer_methods_supported: ["header"],
    });
  });
});
