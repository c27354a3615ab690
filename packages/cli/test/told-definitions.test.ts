import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineTool, type ToolSource } from "@toolrack/core";
import { openServer, type Rack } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it, onTestFinished } from "vitest";
import { run } from "./_run.ts";

const config = `
tools: { packs: { files: false } }
sources:
  shop: { url: "https://shop.example/mcp", enabled: false }
  other: { url: "https://other.example/mcp", enabled: false }
policy: { unknownAgents: allow }
`;

const words = "Finds zebra orders by the name of a customer.";
const wide = { customer: { type: "string" }, everything: { type: "boolean" } };

function shop(
  name = "find_orders",
  { identity = "one", id = "mcp:shop", properties = { customer: { type: "string" } } as object } = {},
): ToolSource {
  const tool = defineTool({ name, description: words, inputSchema: { type: "object", properties }, handler: () => "called zebra" });
  return { id, identity, list: () => (name === "" ? [] : [tool]) };
}
const nothing: ToolSource = { id: "mcp:shop", identity: "one", list: () => [] };

/** Shows a server one list after another. */
async function show(rack: Rack, ...lists: readonly ToolSource[]): Promise<void> {
  for (const source of lists) {
    if (rack.registry.sources().some(({ id }) => id === "mcp:shop")) await rack.registry.removeSource("mcp:shop");
    await rack.registry.addSource(source);
  }
}

type Story = readonly [name: string, tool: string, sentence: RegExp, tell: (rack: Rack, second: () => Promise<Rack>) => Promise<void>];

const stories: readonly Story[] = [
  ["renamed", "search_orders", /^Renamed from "find_orders"/m, (rack) => show(rack, shop(), shop("search_orders"))],
  [
    "re-pointed",
    "find_orders",
    /^Re-pointed: the source starts another program/m,
    (rack) => show(rack, shop(), shop("find_orders", { identity: "another" })),
  ],
  [
    "vanished and re-appeared",
    "find_orders",
    /^Vanished and re-appeared/m,
    (rack) => show(rack, shop(), nothing, shop("find_orders", { properties: wide })),
  ],
  [
    "flip-flop",
    "find_orders",
    /^Flip-flop/m,
    (rack) => show(rack, shop(), shop("find_orders", { properties: wide }), shop(), shop("find_orders", { properties: wide })),
  ],
  [
    "taken over",
    "find_orders",
    /^Taken over: a tool of this name is on record for the source "mcp:shop"/m,
    (rack) => show(rack, shop(), nothing, shop("find_orders", { id: "mcp:other" })),
  ],
  [
    "a split view",
    "find_orders",
    /^Split view: the server ".*" is shown the approved definition while the server/m,
    async (rack, second) => {
      await show(rack, shop());
      const other = await second();
      await Promise.all([rack.registry.invoke("random", {}), other.registry.invoke("random", {})]);
      await expect.poll(async () => (await rack.servers.list()).length).toBe(2);
      await show(other, shop("find_orders", { properties: wide }));
      await expect.poll(() => rack.trust.waiting().length).toBe(1);
      await show(rack, shop());
    },
  ],
];

describe("what a definition is told to be", () => {
  it.each(stories)(
    "%s: is said by the command, the API and the notice to MCP clients, which shows no word of the source",
    async (name, tool, sentence, tell) => {
      const folder = temporaryFolder();
      await writeFile(join(folder, "toolrack.config.yaml"), config);
      const open = async () => {
        const server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent" });
        onTestFinished(() => server.close({ graceMs: 0 }));
        return server;
      };
      const server = await open();
      await tell(server.rack, async () => (await open()).rack);
      const toolrack = (...given: string[]) => run(["--url", server.url, ...given], { folder });
      const { definitions } = (await toolrack("approvals", "--json")).json() as {
        definitions: { id: string; tool: string; told: string[] }[];
      };
      expect(definitions).toMatchObject([{ tool }]);
      expect(definitions[0]!.told.join("\n")).toMatch(sentence);
      expect((await toolrack("approvals", "show", definitions[0]!.id)).output).toMatch(sentence);
      expect((await toolrack("approve", tool)).output).toMatch(sentence);
      const client = new Client({ name: "test", version: "1.0.0" });
      onTestFinished(() => client.close());
      await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", server.url)));
      if (name === "a split view") return;
      expect(client.getInstructions()).toMatch(/1 further tool of mcp:\w+ is held until a person has looked/);
      const answer = JSON.stringify([
        client.getInstructions(),
        await client.listTools(),
        await client.callTool({ name: tool, arguments: {} }).catch(String),
      ]);
      expect(answer).toContain("TOOL_HELD");
      expect(answer).not.toContain("zebra");
    },
  );
});
