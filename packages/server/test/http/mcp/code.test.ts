import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { defineTool } from "@toolrack/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRack } from "../../../src/rack/open.ts";
import { serve } from "../../../src/serve.ts";

const double = defineTool({
  name: "double",
  description: "Doubles a number.",
  inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  outputSchema: { type: "object", properties: { twice: { type: "number" } }, required: ["twice"] },
  handler: ({ n }) => ({ twice: 2 * n }),
});
const hidden = defineTool({
  name: "delete_everything",
  description: "Deletes all numbers.",
  inputSchema: { type: "object" },
  handler: () => "gone",
});

async function serveTools(programs: boolean): Promise<string> {
  const rack = await openRack({
    tools: [double, hidden],
    config: {
      store: { memory: true },
      tools: { packs: { utility: false, programs } },
      policy: { tools: { deny: ["delete_everything"] } },
      agents: { anonymous: {} },
    },
  });
  const served = await serve(rack, { port: 0, consoleFolder: false });
  onTestFinished(() => served.close({ graceMs: 0 }));
  return served.url;
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  onTestFinished(() => client.close());
  return client;
}

describe("an MCP client at /mcp/code", () => {
  it("lists run_code alone, told how to write programs over the tools of its policy, and runs one", async () => {
    const client = await connect(`${await serveTools(true)}/mcp/code`);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["run_code"]);
    expect(tools[0]?.description).toContain("double({ n: number }): { twice: number }");
    expect(tools[0]?.description).toContain("1 tool");
    expect(tools[0]?.description).not.toContain("delete_everything");
    expect(client.getInstructions()).toContain("in one program with run_code");

    const code = "const [found] = await tools.search('double a number'); return [found.name, await tools[found.name]({ n: 21 })];";
    const ran = await client.callTool({ name: "run_code", arguments: { code } });
    expect(ran.structuredContent).toMatchObject({ value: ["double", { twice: 42 }] });
    const refused = await client.callTool({ name: "run_code", arguments: { code: "return await tools.delete_everything({});" } });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.content)).toContain("Line 1");
  });

  it("can still call tools directly", async () => {
    const client = await connect(`${await serveTools(true)}/mcp/code`);
    expect((await client.callTool({ name: "double", arguments: { n: 4 } })).structuredContent).toEqual({ twice: 8 });
  });
});

it("lists run_code beside the other tools at /mcp", async () => {
  const client = await connect(`${await serveTools(true)}/mcp`);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["double", "run_code"]);
  expect(tools[1]?.description).toContain("double({ n: number })");
});

it("says how to switch programs on", async () => {
  const url = await serveTools(false);
  const answer = await fetch(`${url}/mcp/code`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("tools.packs.programs") as string });
});

it("runs a program over HTTP as any tool", async () => {
  const url = await serveTools(true);
  const answer = await fetch(`${url}/api/v1/tools/run_code/call`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ input: { code: "return (await tools.double({ n: input.n })).twice;", input: { n: 5 } } }),
  });
  expect([answer.status, await answer.json()]).toMatchObject([200, { data: { value: 10 } }]);
});
