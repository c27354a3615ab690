import { defineTool } from "@toolrack/core";
import { openTestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";

const strict = defineTool({
  name: "strict",
  description: "Takes nothing that it does not know.",
  inputSchema: {
    type: "object",
    properties: { list: { type: "object", additionalProperties: { type: "string" } } },
    additionalProperties: false,
  },
  handler: () => "done",
});

const key = "k".repeat(3_000_000);
const trigger = { id: "x", tool: "strict", on: { types: ["call-end"] } };

it.each<[method: string, path: string, body: unknown]>([
  ["POST", "/api/v1/tools/strict/call", { input: { [key]: 1 } }],
  ["POST", "/api/v1/tools/strict/call", { input: { list: { [key]: 1 } } }],
  ["POST", "/api/v1/tools/strict/call", { [key]: 1 }],
  ["PUT", "/api/v1/breadcrumbs/a", { schema_name: "note.v1", title: "", tags: [], context: {}, [key]: 1 }],
  ["POST", "/api/v1/schedules", { id: "x", tool: "strict", everyMs: 60_000, input: { [key]: 1 } }],
  ["POST", "/api/v1/triggers", { ...trigger, input: { [key]: { value: 1 } } }],
  ["POST", "/api/v1/triggers", { ...trigger, input: { [key]: {} } }],
  ["POST", "/api/v1/triggers", { ...trigger, on: { [key]: 1 } }],
  ["POST", "/api/v1/hooks", { name: "x", tool: "strict", agent: "a", input: { [key]: { from: "/a" } } }],
  ["POST", "/api/v1/policy/drafts", { title: "t", changes: { [key]: 1 } }],
  ["POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "strict", arguments: { [key]: 1 } } }],
])("TD9: an error does not repeat a name of three megabytes: %s %s", async (method, path, body) => {
  await using server = await openTestServer({ tools: [strict] });
  const answer = await server.request(method, path, { body, headers: { accept: "application/json" } });
  const text = await answer.text();
  expect(text).toMatch(/REQUEST_INVALID|CONFIG_INVALID|INPUT_INVALID/);
  expect(text).toContain("kkkk");
  expect(text.length).toBeLessThan(5_000);
});
