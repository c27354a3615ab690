import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { defineTool } from "@toolrack/core";
import { openServer } from "@toolrack/server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { callerInstructions, type CallerInstructionsOptions } from "../../../src/http/mcp/caller-instructions.ts";

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

describe("the instructions for a caller", () => {
  interface Seen {
    readonly tools?: readonly string[];
    readonly listed?: readonly string[];
    readonly asks?: readonly string[];
    readonly denied?: readonly string[];
    readonly caller?: object;
    readonly waiting?: CallerInstructionsOptions["waiting"];
  }
  const told = ({ tools = [], listed = tools, asks = [], denied = [], caller = { agent: "anna" }, waiting }: Seen): string => {
    const registryOf = (names: readonly string[]) => ({
      view: () => ({
        tools: names.map((name) => ({ name })),
        decision: (name: string) => (asks.includes(name) ? { ask: {} } : {}),
        decisionAbout: ({ name }: { name: string }) => ({ allowed: !denied.includes(name) }),
      }),
    });
    return callerInstructions({
      registry: registryOf(tools) as never,
      listed: registryOf(listed) as never,
      caller: caller as never,
      ...(waiting && { waiting }),
    });
  };
  const search = ["search_tools", "describe_tool", "call_tool"];
  const many = (count: number, prefix = "t") => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

  it.each<[what: string, seen: Seen, said: string]>([
    ["one tool", { tools: ["a"] }, 'You act as the agent "anna", and may use 1 tool of this server: a.'],
    ["no agent", { tools: ["a"], caller: {} }, 'You act as the agent "unknown", and may use 1 tool of this server: a.'],
    ["nobody", { tools: ["a"], caller: { principal: "anonymous" } }, "You have not signed in, and may use 1 tool of this server: a."],
    [
      "groups",
      { tools: ["a", "git__b", "git__c", "one__d"] },
      'You act as the agent "anna", and may use 4 tools of this server: a, git__* (2), one__d.',
    ],
    ["twelve", { tools: many(12) }, `You act as the agent "anna", and may use 12 tools of this server: ${many(12).join(", ")}.`],
    [
      "thirteen",
      { tools: many(13) },
      `You act as the agent "anna", and may use 13 tools of this server: ${many(12).join(", ")} and 1 more.`,
    ],
    [
      "all wait",
      { tools: ["a", "b"], asks: ["a", "b"] },
      'You act as the agent "anna", and may use 2 tools of this server: a, b. Each call waits until a person has approved it; tell the user what you wait for.',
    ],
    [
      "some wait",
      { tools: ["a", "b"], asks: ["a"] },
      'You act as the agent "anna", and may use 2 tools of this server: a, b. A call of a waits until a person has approved it; tell the user what you wait for.',
    ],
    [
      "one listed",
      { tools: ["a", "b", ...search], listed: ["a", ...search] },
      'You act as the agent "anna", and may use 2 tools of this server: a, b. Only 1 of them is listed: find one with search_tools by what it should do, read its parameters with describe_tool, and call it with call_tool.',
    ],
    [
      "two listed",
      { tools: ["a", "b", "c", ...search], listed: ["a", "b"] },
      'You act as the agent "anna", and may use 3 tools of this server: a, b, c. Only 2 of them are listed: find one with search_tools by what it should do, read its parameters with describe_tool, and call it with call_tool.',
    ],
    ["twenty", { tools: [...many(20, "x__"), ...search] }, 'You act as the agent "anna", and may use 20 tools of this server: x__* (20).'],
    [
      "twenty-one",
      { tools: [...many(21, "x__"), ...search] },
      'You act as the agent "anna", and may use 21 tools of this server: x__* (21). To find the right one by what it should do, use search_tools.',
    ],
    [
      "programs",
      { tools: ["a", "run_code"] },
      'You act as the agent "anna", and may use 2 tools of this server: a, run_code. Make several calls in one program with run_code.',
    ],
    [
      "programs over tools that are not listed",
      { tools: ["a", "run_code"], listed: ["run_code"] },
      'You act as the agent "anna", and may use 2 tools of this server: a, run_code. Call those that are not listed in one program with run_code.',
    ],
  ])("say whole sentences: %s", (_what, seen, said) => expect(told(seen)).toBe(said));

  it("say that tools are held, and where, but neither to those who may not use them nor their names", () => {
    const held = (tool: string, source: string, more: object = {}) => ({ tool, source, what: "tool", effect: "held", ...more }) as never;
    const where =
      "until a person has looked at new or changed definitions: toolrack approvals on the server, or its console. You cannot approve that; tell the user if you miss one of them.";
    const begin = 'You act as the agent "anna", and may use 1 tool of this server: a.';
    expect(told({ tools: ["a"], waiting: [held("x", "shop")] })).toBe(`${begin} 1 further tool of shop is held ${where}`);
    expect(told({ tools: ["a"], waiting: [held("x", "shop"), held("y", "desk"), held("z", "shop")] })).toBe(
      `${begin} 3 further tools of shop, desk are held ${where}`,
    );
    const others = [held("x", "shop", { what: "prompt" }), held("y", "shop", { effect: "told" }), held("no", "shop")];
    expect(told({ tools: ["a"], denied: ["no"], waiting: others })).toBe(begin);
  });
});
