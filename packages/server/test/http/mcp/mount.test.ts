import { createAnswers } from "@toolrack/store";
import { openTestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";
import { createUsedStates } from "../../../src/http/mcp/endpoint.ts";

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
