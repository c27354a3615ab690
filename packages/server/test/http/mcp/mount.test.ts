import { createAnswers } from "@toolrack/store";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";
import { createUsedStates } from "../../../src/http/mcp/endpoint.ts";

async function mcp({ request }: TestServer, path: string, method: string, params: object = {}): Promise<{ status: number; body: any }> {
  const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" };
  const response = await request("POST", path, { headers, body: { jsonrpc: "2.0", id: 1, method, params } });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) };
}

it("the instructions of a bundle name its tools alone, and no way to the others", async () => {
  await using server = await openTestServer({
    config: {
      tools: { packs: { search: true } },
      bundles: {
        work: { description: "Work.", required: ["fail"], optional: ["echo"] },
        nothing: { description: "Nothing.", required: ["ghost"], optional: [] },
      },
    },
  });
  const clientInfo = { name: "test", version: "1" };
  const told = async (path: string): Promise<string> =>
    (await mcp(server, path, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo })).body.result.instructions;
  expect(await told("/mcp")).toContain(" tools of this server: ");
  expect(await told("/mcp?bundle=work")).toMatch(
    /^You act as the agent "[a-z]+", and may use 2 tools of the bundle "work" here: fail, echo\.$/,
  );
  expect(await told("/mcp?bundle=nothing")).toMatch(/, and may use no tools of the bundle "nothing" here\./);
});

it("the endpoint of a bundle lists its tools alone, required ones first, and follows a change of it", async () => {
  await using server = await openTestServer({
    config: { bundles: { work: { description: "Work.", required: ["fail"], optional: ["echo", "ghost"] } } },
  });
  const listed = async (): Promise<readonly string[]> =>
    (await mcp(server, "/mcp?bundle=work", "tools/list")).body.result.tools.map(({ name }: { name: string }) => name);
  const called = (path: string): Promise<{ body: any }> => mcp(server, path, "tools/call", { name: "echo", arguments: { text: "a" } });
  expect(await listed()).toEqual(["fail", "echo"]);
  expect((await called("/mcp?bundle=work")).body.result).toMatchObject({ content: [{ type: "text", text: '{"text":"a"}' }] });
  await server.ask("PUT", "/bundles/work", { required: ["fail"] });
  expect(await listed()).toEqual(["fail"]);
  expect((await called("/mcp")).body.result).toMatchObject({ content: [{ type: "text", text: '{"text":"a"}' }] });
  await server.ask("DELETE", "/bundles/work");
  expect(await mcp(server, "/mcp?bundle=work", "tools/list")).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND", detail: 'There is no bundle "work". Connect to /mcp for all tools.' },
  });
});

it("a server without an issuer of tokens has no description for clients, and no link to one", async () => {
  await using server = await openTestServer({ isExposed: true });
  for (const path of ["/mcp", ""]) {
    const described = await server.request("GET", `/.well-known/oauth-protected-resource${path}`);
    expect([described.status, await described.json()]).toMatchObject([404, { detail: expect.stringContaining("accepts API keys only") }]);
  }
  const refused = await server.request("POST", "/mcp", { body: {}, key: "" });
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="toolrack"']);
});

it("the state of an approval is used once, on whichever server", async () => {
  await using server = await openTestServer();
  const [one, other] = [createUsedStates(createAnswers(server.rack.store)), createUsedStates(createAnswers(server.rack.store))];
  expect(await one.claim("a")).toBe(true);
  expect([await one.claim("a"), await other.claim("a")]).toEqual([false, false]);
  expect(await other.claim("b")).toBe(true);
});

it("requests over MCP are logged with who made them, their route and their outcome", async () => {
  const lines: Record<string, unknown>[] = [];
  const line = (_message: string, fields?: object): void => void lines.push({ ...fields });
  await using server = await openTestServer({ rack: { log: { debug: line, info: line, warn: line, error: line } } });
  const { secret } = await server.rack.keys.create({ agent: "ada", roles: [], by: "test" });
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const ask = async (path: string, key: string, body: unknown = ping): Promise<number> =>
    (await server.request("POST", path, { body, key, headers: { accept: "application/json, text/event-stream" } })).status;
  const lastLine = (): unknown => lines.findLast(({ route }) => typeof route === "string");
  await ask("/mcp", secret);
  expect(lastLine()).toMatchObject({ route: "POST /mcp", agent: "ada", principal: "key ada" });
  expect(await ask("/mcp", "trk_wrong")).toBe(401);
  expect(lastLine()).toMatchObject({ route: "POST /mcp", status: 401, code: "SIGN_IN_REFUSED", agent: undefined });
  expect(await ask("/mcp?bundle=none", secret)).toBe(404);
  expect(lastLine()).toMatchObject({ status: 404, code: "NOT_FOUND", agent: "ada" });
  expect(await ask("/mcp/search", secret)).toBe(404);
  expect(lastLine()).toMatchObject({ route: "POST /mcp/search", status: 404, code: "NOT_FOUND" });
});
