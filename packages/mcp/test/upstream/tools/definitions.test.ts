import type { ToolDefinition } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { createDefinitions, type DefinitionsOptions, leftOut } from "../../../src/upstream/tools/definitions.ts";

const inputSchema = { type: "object", properties: { text: { type: "string" } } };
const plain = { name: "echo", inputSchema };
const create = (options: Partial<DefinitionsOptions> = {}) =>
  createDefinitions({ server: "hand", identity: "node server.js", place: {}, call: async () => "called", ...options });
const readOne = (definition: unknown, options: Partial<DefinitionsOptions> = {}, sendsHeaders = false): ToolDefinition =>
  create(options).read([definition], sendsHeaders)[0] as ToolDefinition;

/** Why an entry was left out. */
function reasonOf(tool: unknown): string {
  try {
    return String((tool as ToolDefinition).handler);
  } catch (error) {
    expect(error).toMatchObject({ code: "SOURCE_FAILED" });
    return (error as Error).message;
  }
}

describe("the tools that a server lists", () => {
  it("are tools of its name, with what it says of them", () => {
    const tool = readOne(
      {
        ...plain,
        title: "Echo",
        description: "Says it again.",
        outputSchema: { type: "object" },
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false, title: "Other" },
      },
      { callTimeoutMs: 5_000 },
    );
    expect(tool).toMatchObject({
      name: "hand__echo",
      title: "Echo",
      description: "Says it again.",
      inputSchema,
      outputSchema: { type: "object" },
      metadata: {
        tags: ["mcp", "hand"],
        annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
        limits: { timeoutMs: 5_000 },
      },
    });
  });

  it("need little more than a name", () => {
    const tool = readOne({ ...plain, title: 5, description: 5, annotations: { readOnlyHint: "yes", title: "Shown" } });
    expect(tool).toMatchObject({ name: "hand__echo", title: "Shown", description: "" });
    expect(tool.metadata).toEqual({ tags: ["mcp", "hand"] });
    for (const annotations of [null, 5, {}]) {
      const bare = readOne({ ...plain, annotations });
      expect([bare.title, bare.outputSchema, bare.metadata]).toEqual([undefined, undefined, { tags: ["mcp", "hand"] }]);
    }
  });

  it("are called under the server's own name", async () => {
    const calls: unknown[] = [];
    const tool = readOne(plain, { call: async (...given) => void calls.push(given) as never });
    const context = {} as never;
    await tool.handler({ text: "a" }, context);
    expect(calls).toEqual([[{ name: "echo", inputSchema }, { text: "a" }, context]]);
  });

  it("are the same tools again while nothing changes", () => {
    const definitions = create();
    const list = [plain, { ...plain, name: "other" }, 5];
    const before = definitions.read(list, false);
    const after = definitions.read(structuredClone(list), false);
    expect(after.map((tool, index) => tool === before[index])).toEqual([true, true, true]);
    const [changed, same] = definitions.read([{ ...plain, description: "New." }, list[1]], false);
    expect([changed === before[0], same === before[1]]).toEqual([false, true]);
  });

  it.each<[definition: unknown, reason: string]>([
    [null, "an entry of its list is no tool"],
    [[plain], "an entry of its list is no tool"],
    ["echo", "an entry of its list is no tool"],
    [{ inputSchema }, "a tool has no name, or a very long one"],
    [{ ...plain, name: "" }, "a tool has no name, or a very long one"],
    [{ ...plain, name: "x".repeat(513) }, "a tool has no name, or a very long one"],
    [{ ...plain, name: "e\u200Bcho" }, 'the name "echo" contains invisible characters'],
    [{ ...plain, description: "x".repeat(262_144) }, 'the definition of "echo" is nested too deeply, or longer than 262144 characters'],
    [{ ...plain, more: JSON.parse("[".repeat(256) + "]".repeat(256)) }, "is nested too deeply"],
  ])("are left out alone where they cannot be used: %#", (definition, reason) => {
    const [bad, good] = create().read([definition, { ...plain, name: "good" }], false);
    expect(reasonOf(bad)).toMatch(/^MCP server "hand": .*\.$/);
    expect(reasonOf(bad)).toContain(reason);
    expect((good as ToolDefinition).name).toBe("hand__good");
  });

  it("may be nested as deeply as people write", () => {
    expect(readOne({ ...plain, more: JSON.parse("[".repeat(255) + "]".repeat(255)) }).name).toBe("hand__echo");
  });

  it("have each name once, in whatever spelling", () => {
    const [first, second] = create().read([plain, { ...plain, description: "Another." }], false);
    expect([(first as ToolDefinition).name, reasonOf(second)]).toEqual([
      "hand__echo",
      'MCP server "hand": it lists the name "echo" twice, or another that is written like it.',
    ]);
  });

  it("are offered only as they were approved, where approval is asked for", () => {
    const asked = reasonOf(readOne(plain, { approved: {} }));
    expect(asked).toContain('its tool "echo" was not approved yet. Look at the definition, then approve the fingerprint');
    const print = /fingerprint (\S+?)\.$/.exec(asked)![1]!;
    expect(readOne(plain, { approved: { echo: print } }).name).toBe("hand__echo");
    expect(reasonOf(readOne({ ...plain, description: "Changed." }, { approved: { echo: print } }))).toContain(
      "was changed after it was approved",
    );
    expect(reasonOf(readOne(plain, { approved: { echo: print }, identity: "another server" }))).toContain(
      "was changed after it was approved",
    );
    expect(reasonOf(readOne({ ...plain, name: "constructor" }, { approved: { echo: print } }))).toContain("was not approved yet");
  });

  it("are held to the rules for headers only where parameters are sent as headers", () => {
    const bad = { ...plain, inputSchema: { type: "object", properties: { text: { type: "string", "x-mcp-header": "a b" } } } };
    expect(reasonOf(readOne(bad, {}, true))).toContain('the definition of "echo" cannot be followed');
    expect(readOne(bad, {}, false).name).toBe("hand__echo");
  });

  it("are left out with any reason that a registry can show", () => {
    expect(reasonOf(leftOut("It is too long."))).toBe("It is too long.");
  });
});
