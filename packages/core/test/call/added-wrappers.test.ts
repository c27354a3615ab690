import { describe, expect, it } from "vitest";
import { type AddedWrapper, type WrapperPosition, wrapperPositions } from "../../src/call/added-wrappers.ts";
import { ToolError } from "../../src/errors.ts";
import type { Wrapper } from "../../src/call/wrapper.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { wrapperContract } from "../../src/testing/wrapper-contract.ts";
import type { ToolResult } from "../../src/tool/result.ts";

describe("a wrapper at fault", () => {
  const tool = { ...fakeTool(), name: "tell", handler: () => "the key is s3cret" };
  const callWith = (wrapper: Wrapper, options: RegistryOptions = {}): Promise<ToolResult> => {
    const registry = createRegistry({ redaction: { values: () => ["s3cret"] }, ...options, wrappers: [{ wrapper, at: "before-queue" }] });
    registry.register(tool);
    return registry.invoke("tell", {});
  };

  it("whose finish throws tells no secret: the steps that follow are still taken", async () => {
    const finish = (result: ToolResult): never => {
      throw new Error(`bad: ${result.ok ? result.content : ""}`);
    };
    const result = await callWith({ name: "bad", finish });
    expect(result).toMatchObject({ ok: false, code: "TOOL_FAILED" });
    expect(JSON.stringify(result)).not.toContain("s3cret");
  });

  it("whose finish returns nothing fails the call", async () => {
    expect(await callWith({ name: "bad", finish: (() => undefined) as never })).toMatchObject({ ok: false, code: "TOOL_FAILED" });
  });

  it("whose check resolves to something else than a result fails the call, and null refuses nothing", async () => {
    expect(await callWith({ name: "bad", beforeRun: (async () => false) as never })).toMatchObject({ ok: false, code: "TOOL_FAILED" });
    expect(await callWith({ name: "bad", beforeRun: (async () => null) as never })).toMatchObject({ ok: true });
  });

  it("and a recorder that resolves to something do not stand in for the handler", async () => {
    const begin = (async () => ({ ok: true, content: "not run", meta: {} })) as never;
    const result = await callWith({ name: "good" }, { recorder: { begin, record: () => undefined } as never });
    expect(result).toMatchObject({ ok: true, content: expect.stringContaining("the key is") });
  });
});

const codeOf = (result: ToolResult): string => (result.ok ? "ok" : result.code);
const everything: RegistryOptions = {
  hooks: { before: [() => undefined], after: [() => undefined] },
  redaction: { values: () => ["s3cret"] },
  limits: { callsPerRun: 5, rate: [{ calls: 100, perMs: 1 }], circuitBreaker: {}, retry: { attempts: 2, backoffMs: 0 }, concurrency: 2 },
};

/** Appends its name on the way in and on the way out. */
function noting(name: string, notes: string[]): Wrapper {
  return {
    name,
    beforeRun: () => void notes.push(`${name} in`),
    run: (next) => (call) => (notes.push(`${name} runs`), next(call)),
    finish: (result) => (notes.push(`${name} out`), result),
  };
}
for (const check of wrapperContract("a wrapper of one's own", () => noting("noting", []))) it(check.name, check.run);

function registryWith(wrappers: readonly AddedWrapper[], options: RegistryOptions = {}, handler: () => unknown = () => "fine") {
  const registry = createRegistry({ ...options, wrappers });
  registry.register(fakeTool({ inputSchema: { type: "object" }, handler }));
  return registry;
}

describe("wrappers that a registry is given", () => {
  it("stand where their position says, the first of several outside", () => {
    const wrappers = wrapperPositions.map((at) => ({ wrapper: { name: `at-${at}` }, at }));
    const registry = registryWith([...wrappers, { wrapper: { name: "inner" }, at: "before-hooks" }], everything);
    expect(registry.wrappers("echo")).toEqual([
      "at-outermost",
      "at-before-limits",
      "call-budget",
      "rate-limit",
      "circuit-breaker",
      "at-before-hooks",
      "inner",
      "before-hooks",
      "result-size",
      "images",
      "redact",
      "after-hooks",
      "abort",
      "timeout",
      "at-before-queue",
      "concurrency",
      "retry",
      "at-each-attempt",
    ]);
  });

  it("see a call from the outside to the handler, and its result the other way round", async () => {
    const notes: string[] = [];
    const at = (position: WrapperPosition) => ({ wrapper: noting(position, notes), at: position });
    await registryWith([at("each-attempt"), at("outermost")], {}, () => notes.push("handler")).invoke("echo", {});
    expect(notes).toEqual([
      "outermost in",
      "each-attempt in",
      "outermost runs",
      "each-attempt runs",
      "handler",
      "each-attempt out",
      "outermost out",
    ]);
  });

  it("run once for a call before the queue, and for each attempt at the handler", async () => {
    const notes: string[] = [];
    let attempts = 0;
    const flaky = () => {
      if (++attempts === 1) throw new ToolError("TOOL_FAILED", "later", { retryable: true });
      return "fine";
    };
    const wrappers: AddedWrapper[] = [
      { wrapper: { ...noting("once", notes), finish: (result) => result }, at: "before-queue" },
      { wrapper: { ...noting("each", notes), finish: (result) => result }, at: "each-attempt" },
    ];
    const registry = registryWith(wrappers, { limits: { retry: { attempts: 2, backoffMs: 0 } } }, flaky);
    await registry.invoke("echo", {});
    expect(notes.filter((note) => note === "once runs")).toHaveLength(1);
    expect([attempts, notes.filter((note) => note === "each runs").length]).toEqual([2, 2]);
  });

  it("cannot bring a secret past the redaction, unless they stand outside of it", async () => {
    const leak: Wrapper = { name: "leak", finish: (result) => (result.ok ? { ...result, content: "s3cret" } : result) };
    for (const at of ["before-queue", "each-attempt"] as const) {
      const result = await registryWith([{ wrapper: leak, at }], everything).invoke("echo", {});
      expect(result.ok && result.content).not.toContain("s3cret");
    }
  });

  it("refuse before anything is counted, at before-limits", async () => {
    let refuses = true;
    const closed: Wrapper = { name: "closed", beforeRun: (call) => (refuses ? call.fail("BLOCKED", "It is closed.") : undefined) };
    const registry = registryWith([{ wrapper: closed, at: "before-limits" }], { limits: { callsPerRun: 1 } });
    const caller = { run: "r1" };
    for (let times = 0; times < 3; times++) expect(codeOf(await registry.invoke("echo", {}, { caller }))).toBe("BLOCKED");
    refuses = false;
    expect(codeOf(await registry.invoke("echo", {}, { caller }))).toBe("ok");
    expect(codeOf(await registry.invoke("echo", {}, { caller }))).toBe("BUDGET_EXCEEDED");
  });

  it("see the end of no call that they, or one outside of them, refused", async () => {
    for (const refusing of ["outer", "inner"]) {
      const notes: string[] = [];
      const noted = (name: string): Wrapper => ({
        name,
        beforeRun: (call) => (name === refusing ? call.fail("BLOCKED", "No.") : void notes.push(`${name} in`)),
        finish: (result) => (notes.push(`${name} out`), result),
      });
      const wrappers: AddedWrapper[] = [
        { wrapper: { name: "outermost", beforeRun: () => void notes.push("outermost in") }, at: "outermost" },
        { wrapper: noted("outer"), at: "before-limits" },
        { wrapper: noted("inner"), at: "before-hooks" },
      ];
      expect(codeOf(await registryWith(wrappers).invoke("echo", {}))).toBe("BLOCKED");
      expect(notes).toEqual(refusing === "outer" ? ["outermost in"] : ["outermost in", "outer in", "outer out"]);
    }
  });

  it("fail the call where they throw, and never let it through unseen", async () => {
    const broken = (): never => {
      throw new Error("broken");
    };
    const methods: Partial<Wrapper>[] = [
      { prepare: broken },
      { beforeRun: broken },
      { beforeRun: () => Promise.reject(new Error("broken")) },
      { run: () => broken },
      { run: () => () => Promise.reject(new Error("broken")) },
      { finish: broken },
      { finish: () => Promise.reject(new Error("broken")) },
      { appliesTo: broken },
    ];
    for (const at of wrapperPositions)
      for (const method of methods)
        expect(codeOf(await registryWith([{ wrapper: { name: "faulty", ...method }, at }], everything).invoke("echo", {}))).toBe(
          "TOOL_FAILED",
        );
  });

  it("are taken over by a clone, and left out for tools that they do not apply to", () => {
    const registry = registryWith([{ wrapper: { name: "picky", appliesTo: (tool) => tool.name !== "echo" }, at: "outermost" }]);
    registry.register(fakeTool({ name: "other", inputSchema: { type: "object" } }));
    expect(registry.wrappers("echo")).not.toContain("picky");
    expect(registry.clone().wrappers("other")[0]).toBe("picky");
  });

  it("must have a position of the list and a name of their own", () => {
    const invalid = (wrapper: Wrapper, at: string, message: RegExp) =>
      expect(() => createRegistry({ wrappers: [{ wrapper, at: at as WrapperPosition }] })).toThrow(
        expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringMatching(message) }),
      );
    invalid(
      { name: "mine" },
      "before-hook",
      /"wrappers\[0\].at" must be "outermost", .*"before-hooks".* or "each-attempt", not "before-hook"/,
    );
    invalid({ name: "mine" }, "__proto__", /must be "outermost", "before-limits"/);
    invalid({ name: "timeout" }, "outermost", /Two wrappers are named "timeout"/);
    for (const name of ["My Wrapper", "my wrapper", "mine\n", "-mine", "", undefined])
      invalid({ name: name as string }, "outermost", /lower-case letters and hyphens/);
    const twice = [1, 2].map(() => ({ wrapper: { name: "mine" }, at: "outermost" as const }));
    expect(() => createRegistry({ wrappers: twice })).toThrow(/Two wrappers are named "mine"/);
    const old = { name: "gate", admit: () => undefined };
    expect(() => createRegistry({ wrappers: [{ wrapper: old, at: "before-hooks" }] })).toThrow(/has a method admit/);
  });
});
