import { describe, expect, it } from "vitest";
import { policyFromConfig } from "../../src/policy/config/config.ts";
import { type AssembleInput, assembleTools, assemblyStages } from "../../src/registry/assemble.ts";
import { changeTool, defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

function tool(name: string, metadata?: ToolDefinition["metadata"]): ToolDefinition {
  return defineTool({ name, description: name, inputSchema: { type: "object" }, handler: () => name, ...(metadata && { metadata }) });
}

function tools(...names: readonly string[]): ToolDefinition[] {
  return names.map((name) => tool(name));
}

const namesOf = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name);

const agent: AssembleInput = {
  agent: "coder",
  model: "gpt-5",
  channel: "telegram",
  workspace: "/work",
  stages: {
    base: tools("read", "bash", "edit", "write", "grep"),
    runtime: { remove: ["bash"], add: tools("exec", "process") },
    model: [tool("apply_patch", { models: ["gpt-*"] })],
    own: tools("message", "cron", "gateway"),
    channel: ({ channel }) => (channel === "telegram" ? tools("telegram_pin", "telegram_poll") : []),
  },
  policy: (caller) => policyFromConfig({ agents: { coder: { tools: { deny: ["group:automation"] } } } }, caller),
  wrap: (one) => (one.name === "read" ? changeTool(one, { handler: () => "guarded" }) : one),
};

describe("assembling tools", () => {
  it("goes through seven stages and tells what each did, with counts", () => {
    const { tools: assembled, trace } = assembleTools(agent);
    expect(trace.map(({ stage }) => stage)).toEqual(assemblyStages);
    expect(trace.map(({ count }) => count)).toEqual([5, 6, 7, 10, 12, 10, 10]);
    expect(trace.map(({ added }) => added.length)).toEqual([5, 2, 1, 3, 2, 0, 0]);
    expect(trace[1]!.removed).toEqual([{ name: "bash", reason: "the stage runtime takes its place" }]);
    expect(trace[5]!.removed).toEqual([
      { name: "cron", reason: "`cron` is hidden by `group:automation` in agents.coder.tools.deny." },
      { name: "gateway", reason: "`gateway` is hidden by `group:automation` in agents.coder.tools.deny." },
    ]);
    expect(trace[6]!.wrapped).toEqual(["read"]);
    expect(namesOf(assembled)).toEqual("read edit write grep exec process apply_patch message telegram_pin telegram_poll".split(" "));
    expect(assembled[0]!.handler({}, {} as never)).toBe("guarded");
  });

  it("gives model-gated tools to models that match only", () => {
    const { tools: assembled, trace } = assembleTools({ ...agent, model: "claude" });
    expect(namesOf(assembled)).not.toContain("apply_patch");
    expect(trace[2]).toMatchObject({
      stage: "model",
      added: [],
      refused: [{ name: "apply_patch", reason: expect.stringContaining("claude is not one of them") }],
    });
  });

  it("gives channel tools to callers of that channel only", () => {
    expect(namesOf(assembleTools({ ...agent, channel: "irc" }).tools)).not.toContain("telegram_pin");
  });

  it("shows stages with all the facts", () => {
    let seen: unknown;
    assembleTools({ owner: true, workspace: "/work", stages: { own: (facts) => ((seen = facts), []) } });
    expect(seen).toEqual({ owner: true, workspace: "/work" });
  });

  it("without stages, policy and wrappers there is nothing, in seven stages", () => {
    const { tools: assembled, trace, warnings } = assembleTools({ stages: {} });
    expect(assembled).toEqual([]);
    expect(trace).toHaveLength(7);
    expect(warnings).toEqual([]);
  });

  it("of two tools with one name the earlier stays, aliases included", () => {
    const { tools: assembled, trace } = assembleTools({ stages: { base: tools("bash", "Read"), channel: tools("exec", "read", "pin") } });
    expect(namesOf(assembled)).toEqual(["bash", "Read", "pin"]);
    expect(trace[4]!.refused).toEqual([
      { name: "exec", reason: "an earlier tool has this name" },
      { name: "read", reason: "an earlier tool has this name" },
    ]);
  });

  it("a stage that fails brings nothing and harms no other, and so does a tool that is none", () => {
    const { tools: assembled, trace } = assembleTools({
      stages: {
        base: tools("read"),
        own: () => {
          throw new Error("offline");
        },
        channel: [{} as ToolDefinition, tool("pin")],
      },
    });
    expect(namesOf(assembled)).toEqual(["read", "pin"]);
    expect(trace[3]!.refused).toEqual([{ reason: "the stage failed: offline" }]);
    expect(trace[4]!.refused).toHaveLength(1);
  });

  it("a tool that cannot be wrapped is not handed out bare", () => {
    const { tools: assembled, trace } = assembleTools({
      stages: { base: tools("read", "write") },
      wrap: (one) => {
        if (one.name === "write") throw new Error("no root");
        return one;
      },
    });
    expect(namesOf(assembled)).toEqual(["read"]);
    expect(trace[6]).toMatchObject({ count: 1, removed: [{ name: "write", reason: "it cannot be wrapped: no root" }] });
  });

  it("a policy that cannot be read stops everything", () => {
    const policy = (): never => {
      throw new Error("broken policy");
    };
    expect(() => assembleTools({ stages: { base: tools("read") }, policy })).toThrow("broken policy");
  });

  it("owner-only and conditional tools are for those they are for", () => {
    const stages = { own: [tool("deploy", { ownerOnly: true }), tool("pin", { when: ({ channel }) => channel === "telegram" })] };
    expect(namesOf(assembleTools({ stages }).tools)).toEqual([]);
    expect(namesOf(assembleTools({ stages, owner: true, channel: "telegram" }).tools)).toEqual(["deploy", "pin"]);
    expect(assembleTools({ stages }).decisions.get("deploy")).toMatchObject({ rule: "owner-only" });
  });
});
