import { describe, expect, it } from "vitest";
import { type WrapperPosition, wrapperPositions } from "../../src/call/added-wrappers.ts";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { CallMeta, ToolResult } from "../../src/tool/result.ts";

const codeOf = (result: ToolResult): string => (result.ok ? "ok" : result.code);

/** Calls a tool with a wrapper at each position, and tells which of them saw which outcome of the last call. */
async function seen(
  options: RegistryOptions,
  input: unknown = {},
  calls = 1,
): Promise<{ outcome: string; by: Partial<Record<WrapperPosition, string>> }> {
  const by: Partial<Record<WrapperPosition, string>> = {};
  const wrappers = wrapperPositions.map((at) => ({
    at,
    wrapper: {
      name: `at-${at}`,
      finish: (result: ToolResult) => {
        by[at] = codeOf(result);
        return result;
      },
    },
  }));
  const registry = createRegistry({ ...options, wrappers });
  registry.register(fakeTool({ handler: () => "fine" }));
  for (let before = 1; before < calls; before++) await registry.invoke("echo", input);
  for (const at of wrapperPositions) delete by[at];
  return { outcome: codeOf(await registry.invoke("echo", input)), by };
}

describe("the finish of a wrapper of one's own", () => {
  it("sees the result of every call that reached it", async () => {
    const { by } = await seen({});
    expect(by).toEqual(Object.fromEntries(wrapperPositions.map((at) => [at, "ok"])));
  });

  it.each<[what: string, options: RegistryOptions, input: unknown, outcome: string, seenAt: readonly WrapperPosition[]]>([
    ["a policy hides the tool", { policy: readPolicyConfig({ tools: { deny: ["echo"] } }) }, {}, "TOOL_NOT_ALLOWED", ["outermost"]],
    ["the input is wrong", {}, { text: 5 }, "INPUT_INVALID", ["outermost"]],
    [
      "a hook blocks it",
      { hooks: { before: [() => ({ action: "block", reason: "no" }) as never] } },
      {},
      "BLOCKED",
      ["outermost", "before-limits", "before-hooks"],
    ],
    [
      "a condition of the policy refuses it",
      { policy: readPolicyConfig({ tools: { conditions: [{ tool: "echo", deny: "true" }] } }) },
      {},
      "TOOL_NOT_ALLOWED",
      ["outermost", "before-limits", "before-hooks"],
    ],
  ])("sees no refusal of a step outside of it: %s", async (_what, options, input, outcome, seenAt) => {
    const { by, outcome: got } = await seen(options, input);
    expect(got).toBe(outcome);
    expect(Object.keys(by).toSorted()).toEqual([...seenAt].toSorted());
  });
});

it("a call that a limit refuses is not shown to the finish of wrappers inside of the limit", async () => {
  const { outcome, by } = await seen({ limits: { rate: [{ calls: 1, perMs: 3_600_000 }] } }, {}, 2);
  expect(outcome).toBe("RATE_LIMITED");
  expect(by).toEqual({ outermost: "RATE_LIMITED", "before-limits": "RATE_LIMITED" });
});

describe("a call that was refused stays refused", () => {
  const meta: CallMeta = { callId: "x", tool: "echo", durationMs: 0 };
  const success: ToolResult = { ok: true, content: "all is well", meta };
  const denied: RegistryOptions = { policy: readPolicyConfig({ tools: { conditions: [{ tool: "echo", deny: "true" }] } }) };

  async function refusedWith(options: RegistryOptions): Promise<ToolResult> {
    const registry = createRegistry({ ...denied, ...options });
    registry.register(fakeTool({ handler: () => expect.unreachable() }));
    return registry.invoke("echo", {});
  }

  it.each<[what: string, options: RegistryOptions, name: string]>([
    ["the finish of a wrapper", { wrappers: [{ wrapper: { name: "swallow", finish: () => success }, at: "outermost" }] }, "swallow"],
    ["one that waits", { wrappers: [{ wrapper: { name: "swallow", finish: async () => success }, at: "before-limits" }] }, "swallow"],
    ["an after-call hook", { hooks: { after: [() => success] } }, "after-hooks"],
  ])("when %s returns a success instead, which is said", async (_what, options, name) => {
    const result = await refusedWith(options);
    expect(result).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(result.meta.warnings).toEqual([`The wrapper "${name}" returned a success for a call that was refused. The call stays refused.`]);
  });

  it("but may be told in other words", async () => {
    const finish = (result: ToolResult): ToolResult => (result.ok ? result : { ...result, error: "Ask the owner." });
    const result = await refusedWith({ wrappers: [{ wrapper: { name: "words", finish }, at: "outermost" }] });
    expect(result).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED", error: "Ask the owner." });
  });

  it("when the policy changes while it waits, and a wrapper around the handler answers itself", async () => {
    let change = (): void => {};
    const run = (next: (call: never) => unknown) => (call: never) => (change(), next(call), success);
    const registry = createRegistry({ wrappers: [{ wrapper: { name: "cache", run: run as never }, at: "before-queue" }] });
    registry.register(fakeTool({ handler: () => expect.unreachable() }));
    change = () => registry.unregister("echo");
    expect(await registry.invoke("echo", {})).toMatchObject({ ok: false });
  });

  it("while a failure of the handler may become a success", async () => {
    const registry = createRegistry({ wrappers: [{ wrapper: { name: "fallback", finish: () => success }, at: "before-queue" }] });
    registry.register(
      fakeTool({
        handler: () => {
          throw new Error("down");
        },
      }),
    );
    expect(await registry.invoke("echo", {})).toMatchObject({ ok: true, content: "all is well" });
  });
});
