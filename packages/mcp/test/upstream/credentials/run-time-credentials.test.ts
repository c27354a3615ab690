import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createRegistry, type ToolEvent } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { createScrubber } from "../../../src/upstream/credentials/scrub.ts";
import { httpServer, sourceOf } from "../upstreams.ts";

const accessToken = "canary/access+token=1";
const refreshToken = "canary-refresh-token-2";
const clientSecret = "canary secret & more";

/** Gives out a token for the right client, and is known by its port. */
async function openAuthority(): Promise<string> {
  const server = createServer((request, response) => {
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    response.setHeader("content-type", "application/json");
    if (request.url === "/token")
      return void response.end(
        JSON.stringify({ access_token: accessToken, refresh_token: refreshToken, token_type: "Bearer", expires_in: 3_600 }),
      );
    response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        response_types_supported: ["code"],
        grant_types_supported: ["client_credentials"],
        token_endpoint_auth_methods_supported: ["client_secret_post"],
      }),
    );
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Everything that a server could know and repeat, in the forms in which it could. */
function echo({ headers }: IncomingMessage): string {
  const { authorization = "" } = headers;
  const bare = authorization.replace("Bearer ", "");
  const forms = [authorization, bare, encodeURIComponent(bare), Buffer.from(bare).toString("base64"), refreshToken, clientSecret];
  return forms.join(" | ");
}

it("SD25: tokens that are got at run time are taken out of lists, results, progress and errors of a server that repeats them", async () => {
  const authority = await openAuthority();
  const server = await httpServer({
    era: "modern",
    before(request, response, body) {
      const { origin, pathname } = new URL(server.url);
      const json = (status: number, value: object): true => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
        return true;
      };
      if (request.url?.startsWith("/.well-known/oauth-protected-resource"))
        return json(200, { resource: origin + pathname, authorization_servers: [authority] });
      if (request.headers.authorization !== `Bearer ${accessToken}`) {
        const where = `${origin}/.well-known/oauth-protected-resource${pathname}`;
        response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${where}"` }).end();
        return true;
      }
      const { id, method, params } = JSON.parse(body) as {
        id: number;
        method: string;
        params: { name: string; _meta?: { progressToken?: unknown } };
      };
      const said = echo(request);
      const inputSchema = { type: "object", properties: { a: { type: "string", description: said } } };
      const cache = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
      if (method === "tools/list") {
        const tools = ["text", "data", "fail", "refuse"].map((name) => ({ name, description: `Says ${said}`, inputSchema }));
        return json(200, { jsonrpc: "2.0", id, result: { ...cache, tools } });
      }
      if (method !== "tools/call") return false;
      if (params.name === "refuse")
        return json(200, { jsonrpc: "2.0", id, error: { code: -32_000, message: `No: ${said}`, data: { said } } });
      const progress = { progressToken: params._meta?.progressToken, progress: 1, message: `Working with ${said}` };
      const result = {
        resultType: "complete",
        content: [{ type: "text", text: `You sent ${said}` }],
        ...(params.name === "data" && { structuredContent: { [said]: [said] } }),
        ...(params.name === "fail" && { isError: true }),
      };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: progress })}\n\n`);
      response.end(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
      return true;
    },
  });
  const registry = createRegistry();
  const seen: unknown[] = [];
  registry.subscribe((event: ToolEvent) => void seen.push(event));
  const status = await registry.addSource(
    sourceOf({
      name: "hand",
      url: server.url,
      allowHosts: ["127.0.0.1"],
      auth: { kind: "client-credentials", issuer: authority, clientId: "rack", clientSecret: "secret:client" },
      secret: () => clientSecret,
    }),
  );
  expect(status).toMatchObject({ state: "ready" });
  seen.push(registry.list());
  for (const name of status.tools) {
    const result = await registry.invoke(name, {}, { onProgress: (update) => void seen.push(update) });
    seen.push(result, inspectError(result));
  }
  const everything = JSON.stringify(seen);
  expect(everything).toContain("[redacted]");
  expect(everything).toContain("You sent");
  expect(everything).toContain("Working with");
  for (const secret of [accessToken, refreshToken, clientSecret])
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")]) expect(everything).not.toContain(form);
});

/** What a log would print of a failure. */
function inspectError(result: unknown): unknown {
  const { cause } = result as { cause?: unknown };
  return cause instanceof Error ? [cause.message, cause.stack] : undefined;
}

describe("SD25: a scrubber", () => {
  it("takes out what it learns later, in every form, also from the causes of errors", () => {
    const scrub = createScrubber(["known-secret"]);
    scrub.learn(["learnt/later+1", "abc"]);
    expect(scrub.text("known-secret learnt/later+1 learnt%2Flater%2B1 abc")).toBe("[redacted] [redacted] [redacted] abc");
    const thrown = scrub.error(
      new Error("outer", { cause: Object.assign(new Error("inner learnt/later+1"), { data: { t: "known-secret" } }) }),
    );
    const cause = thrown.cause as Error & { data: unknown };
    expect(cause.message).toBe("inner [redacted]");
    expect(cause.stack).not.toContain("learnt");
    expect(cause.data).toEqual({ t: "[redacted]" });
  });

  it("keeps a bounded number of what it learns, and what it was made with for ever", () => {
    const scrub = createScrubber(["known-secret"]);
    for (let number = 0; number < 1_000; number++) scrub.learn([`token-number-${number}.`]);
    expect(scrub.text("known-secret token-number-999. token-number-0.")).toBe("[redacted] [redacted] token-number-0.");
  });
});
