import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import type { AfterCallHook, BeforeCallHook } from "../../src/call/hooks.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { settle } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { ToolDefinition } from "../../src/tool/tool.ts";

function registryWith(
  hooks: NonNullable<RegistryOptions["hooks"]>,
  tool: Partial<ToolDefinition> = {},
  options: RegistryOptions = {},
): Registry {
  const registry = createRegistry({ ...options, hooks });
  registry.register(fakeTool(tool));
  return registry;
}

describe("before-call hooks", () => {
  const noRemoval: BeforeCallHook = ({ tool, input }) =>
    tool === "exec" && String(input["command"]).includes("rm -rf") ? { block: "Nothing is removed here." } : undefined;
  const insideHome: BeforeCallHook = ({ input }) => ({ input: { ...input, path: `home/${String(input["path"])}` } });

  // row: F6
  it("block a command, and nothing runs", async () => {
    const registry = registryWith(
      { before: [noRemoval] },
      { name: "exec", inputSchema: { type: "object" }, handler: () => expect.unreachable() },
    );
    const result = await registry.invoke("exec", { command: "sudo rm -rf /" });
    expect(result).toMatchObject({ ok: false, code: "BLOCKED", status: 403 });
    expect(!result.ok && result.error).toContain("Nothing is removed here.");
  });

  // row: F6
  it("rewrite a path, in their order, and the handler sees what the last one left", async () => {
    const inputSchema = { type: "object", properties: { path: { type: "string" } } };
    const twice: BeforeCallHook = async (call) => (await settle(), insideHome(call));
    const registry = registryWith({ before: [insideHome, twice] }, { inputSchema, handler: (input) => input });
    expect(await registry.invoke("echo", { path: "a" })).toMatchObject({ ok: true, data: { path: "home/home/a" } });
  });

  it("see the validated input: canonical names, defaults filled in", async () => {
    const seen: unknown[] = [];
    const inputSchema = { type: "object", properties: { filePath: { type: "string" }, limit: { default: 10 } } };
    const registry = registryWith({ before: [({ input }) => void seen.push(input)] }, { inputSchema });
    await registry.invoke("echo", { file_path: "a" });
    expect(seen).toEqual([{ filePath: "a", limit: 10 }]);
  });

  it("cannot make an input invalid: what they change is validated again, defaults included", async () => {
    const inputSchema = { type: "object", properties: { n: { type: "number" }, m: { type: "number", default: 7 } }, required: ["n"] };
    const wrong = registryWith({ before: [() => ({ input: { n: "one" } })] }, { inputSchema, handler: () => expect.unreachable() });
    expect(await wrong.invoke("echo", { n: 1 })).toMatchObject({ code: "INPUT_INVALID", issues: [{ path: "/n" }] });
    const right = registryWith({ before: [() => ({ input: { n: 2 } })] }, { inputSchema, handler: (input) => input });
    expect(await right.invoke("echo", { n: 1 })).toMatchObject({ data: { n: 2, m: 7 } });
  });

  it("do not see a call that is refused before them, nor one that another hook blocked", async () => {
    let asked = 0;
    const count: BeforeCallHook = () => void asked++;
    const registry = registryWith(
      { before: [({ input }) => (input["text"] === "block" ? { block: "No." } : undefined), count] },
      { metadata: { ownerOnly: true } },
    );
    await registry.invoke("echo", {});
    await registry.invoke("echo", { text: 5 }, { caller: { owner: true } });
    await registry.invoke("echo", { text: "block" }, { caller: { owner: true } });
    expect(asked).toBe(0);
    await registry.invoke("echo", { text: "fine" }, { caller: { owner: true } });
    expect(asked).toBe(1);
  });

  it("come before the policy looks at the arguments, so that no hook can slip anything past it", async () => {
    const policy = { tools: { conditions: [{ tool: "echo", deny: 'input.text == "rm"' }] } };
    const registry = registryWith(
      { before: [() => ({ input: { text: "rm" } })] },
      { handler: () => expect.unreachable() },
      { policy: readPolicyConfig(policy) },
    );
    expect(await registry.invoke("echo", { text: "ls" })).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
  });

  it("apply to the calls that tools make, too", async () => {
    const registry = registryWith(
      { before: [noRemoval] },
      { name: "exec", inputSchema: { type: "object" }, handler: () => expect.unreachable() },
    );
    registry.register(fakeTool({ name: "outer", handler: async (_, { call }) => call("exec", { command: "rm -rf /" }) }));
    expect(await registry.invoke("outer", {})).toMatchObject({ code: "BLOCKED" });
  });
});

describe("after-call hooks", () => {
  const cutTo =
    (budget: number): AfterCallHook =>
    (result) =>
      result.ok && result.content.length > budget
        ? { ...result, content: `${result.content.slice(0, budget)} [cut to ${budget} characters]` }
        : undefined;

  // row: F7
  it("cut a result of 1 MB to their budget, and say so", async () => {
    const registry = registryWith({ after: [cutTo(100)] }, { handler: () => "x".repeat(1_000_000) });
    const result = await registry.invoke("echo", {});
    expect(result).toMatchObject({ ok: true, content: `${"x".repeat(100)} [cut to 100 characters]` });
  });

  it("run in their order, and see failures and refusals, too", async () => {
    const seen: string[] = [];
    const note =
      (name: string): AfterCallHook =>
      (result) =>
        void seen.push(`${name} ${result.ok ? "ok" : result.code}`);
    const registry = registryWith({ after: [note("first"), note("second")] });
    await registry.invoke("echo", {});
    await registry.invoke("echo", { text: 5 });
    expect(seen).toEqual(["first ok", "second ok", "first INPUT_INVALID", "second INPUT_INVALID"]);
  });

  it("leave the limits in force: what they make too large is cut, what they let out is redacted", async () => {
    const grown: AfterCallHook = (result) => (result.ok ? { ...result, content: "y".repeat(10_000) } : undefined);
    const limited = registryWith({ after: [grown] }, { handler: () => "short" }, { limits: { maxResultBytes: 1_000 } });
    const cut = await limited.invoke("echo", {});
    expect(cut.ok && cut.content.length).toBeLessThanOrEqual(1_000);
    const leak: AfterCallHook = (result) => (result.ok ? { ...result, content: "the key is hunter2" } : undefined);
    const redacting = registryWith({ after: [leak] }, {}, { redaction: { values: () => ["hunter2"] } });
    expect(JSON.stringify(await redacting.invoke("echo", {}))).not.toContain("hunter2");
  });

  it("that throw, or answer what is no result, leave the result as it was, with a warning", async () => {
    const throwing: AfterCallHook = () => {
      throw new Error("no disk");
    };
    for (const hook of [
      throwing,
      (() => 42) as unknown as AfterCallHook,
      (() => ({ ok: true, content: "no meta" })) as unknown as AfterCallHook,
    ]) {
      const result = await registryWith({ after: [hook] }).invoke("echo", { text: "hi" });
      expect(result).toMatchObject({ ok: true, content: "hi" });
      expect(result.meta.warnings).toEqual([expect.stringContaining("An after-call hook failed and was left out")]);
    }
  });
});
