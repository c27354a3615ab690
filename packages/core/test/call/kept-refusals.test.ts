import { describe, expect, it } from "vitest";
import { createRetry } from "../../src/call/wrappers/limits/retry.ts";
import type { Wrapper } from "../../src/call/wrapper.ts";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { decideTools } from "../../src/policy/decide/decide.ts";
import { createRegistry } from "../../src/registry/create.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { ToolResult } from "../../src/tool/result.ts";

describe("a wrapper that makes a success of everything", () => {
  const success = (result: ToolResult): ToolResult => ({ ok: true, content: "fine", meta: result.meta }) as unknown as ToolResult;

  it.each<[string, Wrapper["finish"]]>([
    ["at once", (result) => success(result)],
    ["later", (result) => Promise.resolve(success(result))],
  ])("does not open a call that was refused: %s", async (_, finish) => {
    const policy = readPolicyConfig({ tools: { conditions: [{ tool: "echo", deny: 'text == "no"', reason: "Not this." }] } });
    const registry = createRegistry({ policy, wrappers: [{ wrapper: { name: "rosy", finish: finish! }, at: "outermost" }] });
    registry.register(fakeTool());
    const refused = await registry.invoke("echo", { text: "no" });
    expect(refused).toMatchObject({ ok: false, status: 403, error: expect.stringContaining("Not this.") });
    expect(refused.meta.warnings).toEqual([expect.stringContaining('The wrapper "rosy" returned a success for a call that was refused')]);
    expect(await registry.invoke("echo", { text: "yes" })).toMatchObject({ ok: true, content: "fine" });
  });
});

describe("an option of retries that cannot be used", () => {
  it.each([
    [{ attempts: 0, backoffMs: 1 }, "attempts"],
    [{ attempts: 2, backoffMs: -1 }, "backoffMs"],
    [{ attempts: 2, backoffMs: 1, maxWaitMs: -1 }, "maxWaitMs"],
  ])("is named: %j", (options, name) => {
    expect(() => createRetry(options)).toThrow(name);
  });
});

describe("a policy that says less than its author thinks", () => {
  it("is told where nothing is asked about, and where a name is empty", () => {
    const { warnings } = decideTools({ tools: [{ name: "read" }], steps: [{ id: "global", label: "tools", ask: ["wrote"] }] });
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringMatching(/^No tool matches "?`?wrote.* so no call needs appr/)]);
    expect(() => readPolicyConfig({ agents: { " ": {} } })).toThrow(/has no name/);
  });
});
