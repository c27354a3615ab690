import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { defineTool } from "@toolrack/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRack } from "../../../src/rack/open.ts";
import { serve } from "../../../src/serve.ts";

const many = Array.from({ length: 200 }, (_, index) =>
  defineTool({
    name: `report_${index}`,
    description: `Writes report number ${index}.`,
    inputSchema: { type: "object", properties: {} },
    handler: () => `report ${index}`,
  }),
);
const mail = defineTool({
  name: "send_mail",
  description: "Sends an email to somebody.",
  inputSchema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  handler: ({ to }) => `sent to ${to}`,
});
const secretTool = defineTool({
  name: "delete_everything",
  description: "Sends all emails into the void.",
  inputSchema: { type: "object" },
  handler: () => "gone",
});

async function serveTools(search: boolean): Promise<string> {
  const rack = await openRack({
    tools: [...many, mail, secretTool],
    config: {
      store: { memory: true },
      tools: { packs: { utility: false, search } },
      policy: { tools: { deny: ["delete_everything"] } },
      agents: { anonymous: {} },
    },
  });
  const served = await serve(rack, { port: 0, consoleFolder: false });
  onTestFinished(() => served.close({ graceMs: 0 }));
  return served.url;
}

describe.each([
  ["the current era", "auto"],
  ["the era before", "legacy"],
] as const)("an MCP client of %s at /mcp/search", (_name, mode) => {
  it("lists three tools, whatever it did before, finds the right one and calls it under its policy", async () => {
    const url = await serveTools(true);
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/search`)));
    onTestFinished(() => client.close());
    const names = async (): Promise<readonly string[]> => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toEqual(["search_tools", "describe_tool", "call_tool"]);

    const found = await client.callTool({ name: "search_tools", arguments: { query: "send an email" } });
    expect(JSON.stringify(found)).toContain("send_mail");
    expect(JSON.stringify(found)).not.toContain("delete_everything");
    const called = await client.callTool({ name: "call_tool", arguments: { name: "send_mail", input: { to: "ada" } } });
    expect(called).toMatchObject({ content: [{ type: "text", text: "sent to ada" }] });
    expect(await client.callTool({ name: "call_tool", arguments: { name: "delete_everything" } })).toMatchObject({ isError: true });
    expect(await names()).toEqual(["search_tools", "describe_tool", "call_tool"]);
  });
});

it("says how to switch it on where tools cannot be searched", async () => {
  const url = await serveTools(false);
  const answer = await fetch(`${url}/mcp/search`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("tools.packs.search") });
});

it("answers the same over HTTP, through the tools themselves", async () => {
  const url = await serveTools(true);
  const call = (tool: string, input: unknown): Promise<Response> =>
    fetch(`${url}/api/v1/tools/${tool}/call`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ input }),
    });
  expect(JSON.stringify(await (await call("search_tools", { query: "send an email" })).json())).toContain("send_mail");
  expect(await (await call("call_tool", { name: "send_mail", input: { to: "bob" } })).json()).toMatchObject({ content: "sent to bob" });
  const found = (await (await fetch(`${url}/api/v1/search?q=${encodeURIComponent("send an email")}`)).json()) as {
    hits: { tool: string }[];
  };
  expect(found.hits[0]?.tool).toBe("send_mail");
});
