import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createRegistry } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { httpServer, sourceOf } from "../upstreams.ts";

/** An authorization server that gives out one token for the right client. */
async function authorizationServer(): Promise<{
  readonly url: string;
  readonly requests: { url: string; headers: IncomingMessage["headers"] }[];
}> {
  const requests: { url: string; headers: IncomingMessage["headers"] }[] = [];
  const json = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? "", headers: request.headers });
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (request.url?.startsWith("/.well-known/oauth-authorization-server")) {
      return json(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        response_types_supported: ["code"],
        grant_types_supported: ["client_credentials"],
        token_endpoint_auth_methods_supported: ["client_secret_basic"],
      });
    }
    if (request.url !== "/token") return json(response, 404, {});
    const isRight = request.headers.authorization === `Basic ${Buffer.from("rack:s3cr3t-of-the-client").toString("base64")}`;
    if (!isRight) return json(response, 401, { error: "invalid_client" });
    json(response, 200, { access_token: "t0k3n", token_type: "Bearer", expires_in: 3_600 });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  afterThisTest(() => server.closeAllConnections());
  afterThisTest(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

describe("signing in to a server", () => {
  it("by client credentials gets a token from the server's authority, and keeps other headers from it", async () => {
    const authority = await authorizationServer();
    const server = await httpServer({
      era: "modern",
      before(request, response) {
        const { origin, pathname } = new URL(server.url);
        if (request.url?.startsWith("/.well-known/oauth-protected-resource")) {
          response.writeHead(200, { "content-type": "application/json" });
          response.end(JSON.stringify({ resource: origin + pathname, authorization_servers: [authority.url] }));
          return true;
        }
        if (request.headers.authorization === "Bearer t0k3n") return false;
        const where = `${origin}/.well-known/oauth-protected-resource${pathname}`;
        response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${where}"` }).end();
        return true;
      },
    });
    const options = { name: "hand", url: server.url, allowHosts: ["127.0.0.1"], headers: { "x-api-key": "only-for-the-server" } };
    const auth = { kind: "client-credentials", issuer: authority.url, clientId: "rack", clientSecret: "secret:client" } as const;
    const registry = createRegistry();
    const status = await registry.addSource(sourceOf({ ...options, auth, secret: () => "s3cr3t-of-the-client" }));
    expect(status).toMatchObject({ state: "ready" });
    expect(await registry.invoke("hand__echo", { text: "signed in" })).toMatchObject({ ok: true, content: "signed in" });
    expect(server.seen.filter(({ headers }) => headers["authorization"] === "Bearer t0k3n").length).toBeGreaterThan(0);
    expect(authority.requests.filter(({ url }) => url === "/token")).toHaveLength(1);
    expect(JSON.stringify(authority.requests)).not.toContain("only-for-the-server");

    const other = await authorizationServer();
    const misled = { ...auth, issuer: other.url };
    expect(
      await createRegistry().addSource(sourceOf({ ...options, name: "misled", auth: misled, secret: () => "s3cr3t-of-the-client" })),
    ).toMatchObject({
      state: "failed",
      error: expect.not.stringContaining("s3cr3t"),
    });
    expect(other.requests.some(({ url }) => url === "/token")).toBe(false);

    const wrong = await createRegistry().addSource(sourceOf({ ...options, name: "wrong", auth, secret: () => "guess" }));
    expect(wrong).toMatchObject({ state: "failed", tools: [] });
  });
});
