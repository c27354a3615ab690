import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { defineTool } from "@toolrack/core";
import { openServer } from "@toolrack/server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const inputSchema = { type: "object", properties: {} } as const;
const tool = (name: string) =>
  defineTool({ name, description: "Does it.", inputSchema, metadata: { usageHint: "Often." }, handler: () => "" });

async function start(mcp: object, count = 2): Promise<(path: string) => Promise<Client>> {
  const names = Array.from({ length: count }, (_, index) => `git__do_${index}`);
  const server = await openServer({
    folder: temporaryFolder(),
    port: 0,
    consoleFolder: false,
    log,
    environment: {},
    config: {
      store: { memory: true },
      server: { mcp },
      tools: { packs: { utility: false, sessions: false, search: true } },
      policy: { tools: { ask: ["pay"] }, agents: { anna: { tools: { allow: ["*"] } } } },
    },
    tools: ["pay", ...names].map(tool),
  });
  afterThisTest(() => server.close({ graceMs: 0 }));
  const { secret } = await server.rack.keys.create({ agent: "anna", roles: [], by: "test" });
  return async (path) => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server.url}${path}`), {
        requestInit: { headers: { authorization: `Bearer ${secret}` } },
      }),
    );
    afterThisTest(() => client.close());
    return client;
  };
}

describe("the instructions of the MCP endpoint", () => {
  it("say what this caller has, what waits for a person, and how to search", async () => {
    const connect = await start({ instructions: "Tools of the support team." }, 30);
    expect((await connect("/mcp")).getInstructions()).toBe(
      'Tools of the support team.\n\nYou act as the agent "anna", and may use 31 tools of this server: pay, git__* (30). ' +
        "A call of pay waits until a person has approved it; tell the user what you wait for. " +
        "To find the right one by what it should do, use search_tools.",
    );
    expect((await connect("/mcp/search")).getInstructions()).toMatch(
      /None of them are listed: find one with search_tools .+ call it with call_tool\.$/,
    );
  });

  it("are short where there is little to say, and menus have no prompt for each tool unless that is configured", async () => {
    const client = await (await start({}))("/mcp");
    expect(client.getInstructions()).toContain("may use 3 tools of this server: pay, git__* (2).");
    expect(client.getInstructions()).not.toContain("search_tools");
    expect((await client.listPrompts()).prompts).toEqual([]);
    const prompted = await (await start({ toolPrompts: true }))("/mcp");
    expect((await prompted.listPrompts()).prompts.map(({ name }) => name)).toContain("use-pay");
  });
});
