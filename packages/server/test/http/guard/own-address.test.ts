import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config/read.ts";
import { openIssuer } from "../sign-in/issuer.ts";

const mounts = ["/mcp", "/mcp/search"];
const config = { tools: { packs: { utility: false, sessions: false, search: true } } };
const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

/** The address of the description that a refused client is sent to. */
async function metadataOf(server: TestServer, mount: string, headers: Readonly<Record<string, string>> = {}): Promise<string | undefined> {
  const refused = await server.request("POST", mount, { body: ping, headers, key: "" });
  expect(refused.status).toBe(401);
  return /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "")?.[1];
}

describe("the address that a server tells of itself", () => {
  it("SD23: behind TLS it is the public one, whatever the proxy passes on", async () => {
    const issuer = await openIssuer();
    const publicUrl = "https://tools.example.com";
    await using server = await openTestServer({ tokens: await issuer.check(), isExposed: true, publicUrl, config });
    const forged = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http", forwarded: "host=evil.example" };
    const sent: readonly Readonly<Record<string, string>>[] = [{}, { host: "tools.example.com" }, { host: "127.0.0.1:7333" }, forged];
    for (const headers of sent)
      for (const mount of mounts) {
        const place = await metadataOf(server, mount, headers);
        expect(place).toBe(`${publicUrl}/.well-known/oauth-protected-resource${mount}`);
        const described = await server.request("GET", new URL(place!).pathname, { headers });
        expect(await described.json()).toMatchObject({ resource: `${publicUrl}${mount}`, authorization_servers: [issuer.issuer] });
      }
  });

  it("SD23: its host and its pages are allowed, and no other", async () => {
    await using server = await openTestServer({ publicUrl: "https://tools.example.com:8443/" });
    const status = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await server.request("GET", "/api/v1/tools", { headers })).status;
    expect(await status({ host: "tools.example.com:8443" })).not.toBe(403);
    expect(await status({ host: "localhost:7333", origin: "https://tools.example.com:8443" })).not.toBe(403);
    expect(await status({ host: "evil.example" })).toBe(403);
    expect(await status({ host: "tools.example.com:8443", origin: "https://evil.example" })).toBe(403);
    expect(await status({ host: "localhost:7333", origin: "http://tools.example.com" })).toBe(403);
  });

  it.each([
    ["tools.example.com", /begins? with|is not a URL|pattern|publicUrl/],
    ["ftp://tools.example.com", /publicUrl/],
    ["https://anna:pass@tools.example.com", /credentials/],
    ["https://tools.example.com/rack", /more than a host/],
    ["https://tools.example.com/?a=1", /more than a host/],
    ["https://", /publicUrl/],
  ])("SD23: a public URL that is none is refused with its line: %s", async (publicUrl, message) => {
    const read = readConfig(`server:\n  publicUrl: "${publicUrl}"\n`, "toolrack.config.yaml");
    expect(read).toMatchObject({ ok: false, issues: [{ line: 2 }] });
    if (!read.ok) expect(read.issues[0]!.message).toMatch(message);
    await expect(async () => openTestServer({ publicUrl })).rejects.toMatchObject({ code: "PUBLIC_URL_INVALID" });
  });

  it("SD24: each 401 leads to the description of its own endpoint, whose resource is that endpoint", async () => {
    const issuer = await openIssuer();
    await using server = await openTestServer({ tokens: await issuer.check(), isExposed: true, config });
    for (const mount of mounts) {
      const place = await metadataOf(server, mount);
      expect(place).toBe(`http://localhost/.well-known/oauth-protected-resource${mount}`);
      const described = (await (await server.request("GET", new URL(place!).pathname)).json()) as { resource: string };
      expect(described.resource).toBe(`http://localhost${mount}`);
    }
  });

  it("SD24: one issuer may make tokens for each endpoint", async () => {
    const issuer = await openIssuer();
    const audience = mounts.map((mount) => `https://tools.example.com${mount}`);
    const check = await issuer.check({ audience });
    for (const aud of [...audience, [audience[1]!, "https://issuer.example/userinfo"]])
      expect(await check(await issuer.sign({ aud }))).toMatchObject({ agent: "anna" });
    for (const aud of ["https://tools.example.com", []]) expect(await check(await issuer.sign({ aud }))).toBeUndefined();
    await expect(issuer.check({ audience: [] })).rejects.toMatchObject({ code: "TOKENS_INVALID" });
  });
});
