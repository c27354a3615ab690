import { describe, expect, it } from "vitest";
import * as z from "zod";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { ToolAuthorizationError, ToolError, ToolInputError } from "../../src/errors.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { createFakeClock, settle } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

/** A registry with one tool. */
function registryWith(tool: Partial<ToolDefinition>, options: RegistryOptions = {}): Registry {
  const registry = createRegistry(options);
  registry.register(fakeTool(tool));
  return registry;
}

describe("invoke", () => {
  // row: F3
  it("covers success, unknown, invalid, denied and thrown in one call each", async () => {
    const registry = createRegistry({ policy: readPolicyConfig({ tools: { deny: ["secret_tool"] } }) });
    registry.register(fakeTool());
    registry.register(fakeTool({ name: "secret_tool" }));
    registry.register(
      fakeTool({
        name: "broken",
        handler: () => {
          throw new Error("the disk is full");
        },
      }),
    );
    expect(await registry.invoke("echo", { text: "hi" })).toMatchObject({ ok: true, content: "hi" });
    expect(await registry.invoke("ecko", {})).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND", status: 404 });
    expect(await registry.invoke("echo", { text: 5 })).toMatchObject({ ok: false, code: "INPUT_INVALID", status: 400 });
    expect(await registry.invoke("secret_tool", {})).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED", status: 403 });
    expect(await registry.invoke("broken", {})).toMatchObject({ ok: false, code: "TOOL_FAILED", status: 500, error: "the disk is full" });
  });

  // row: F1
  it("takes handlers that answer at once, later, or with a promise of another library", async () => {
    const thenable = { then: (resolve: (value: string) => void) => void setImmediate(() => resolve("like a promise")) };
    for (const [handler, content] of [
      [() => "at once", "at once"],
      [async () => (await settle(), "later"), "later"],
      [() => Promise.resolve("resolved"), "resolved"],
      [() => thenable as unknown as string, "like a promise"],
    ] as const) {
      expect(await registryWith({ handler }).invoke("echo", {})).toMatchObject({ ok: true, content });
    }
  });

  it("takes text, data, blocks, full results and the side effects they report", async () => {
    const effects = [{ kind: "file", action: "write", target: "notes.md" }];
    for (const [returned, result] of [
      ["text", { ok: true, content: "text" }],
      [{ n: 1 }, { ok: true, content: '{"n":1}', data: { n: 1 } }],
      [[{ type: "text", text: "block" }], { ok: true, content: "block", blocks: [{ type: "text", text: "block" }] }],
      [
        { ok: true, content: "written", effects },
        { ok: true, content: "written", effects },
      ],
      [
        { ok: false, error: "gone", code: "TOOL_UNAVAILABLE", retryable: true },
        { ok: false, error: "gone", code: "TOOL_UNAVAILABLE", retryable: true },
      ],
      [undefined, { ok: true, content: "" }],
    ] as const) {
      expect(await registryWith({ handler: () => returned }).invoke("echo", {})).toMatchObject(result);
    }
  });

  it("reports the files that a class tool modified as effects", async () => {
    const registry = createRegistry();
    registry.register({
      name: "write",
      description: "Writes.",
      parametersSchema: { type: "object" },
      execute: () => ({ success: true, output: "written", modifiedFiles: ["notes.md"] }),
    });
    expect(await registry.invoke("write", {})).toMatchObject({
      ok: true,
      effects: [{ kind: "file", action: "write", target: "notes.md" }],
    });
  });

  it("gives a handler's own error codes, whether it may be tried again, and after how long", async () => {
    for (const [error, result] of [
      [new ToolInputError("No such table."), { code: "INPUT_INVALID", status: 400, retryable: false }],
      [new ToolAuthorizationError("Not yours."), { code: "TOOL_NOT_ALLOWED", status: 403 }],
      [new ToolError("TOOL_FAILED", "Busy.", { retryAfterMs: 500 }), { code: "TOOL_FAILED", retryable: true, retryAfterMs: 500 }],
    ] as const) {
      const throwing = registryWith({
        handler: () => {
          throw error;
        },
      });
      const rejecting = registryWith({ handler: () => Promise.reject(error) });
      for (const registry of [throwing, rejecting])
        expect(await registry.invoke("echo", {})).toMatchObject({ ok: false, error: error.message, ...result });
    }
  });

  it("takes no arguments at all as an empty object, and never writes to those it was given", async () => {
    const inputSchema = { type: "object", properties: { a: { default: 1 }, b: { type: "object", properties: { c: { default: 2 } } } } };
    const registry = registryWith({ inputSchema, handler: (input) => input });
    for (const nothing of [undefined, null, {}]) expect(await registry.invoke("echo", nothing)).toMatchObject({ data: { a: 1 } });
    const input = Object.freeze({ b: Object.freeze({}) });
    expect(await registry.invoke("echo", input)).toMatchObject({ data: { a: 1, b: { c: 2 } } });
    expect(input).toEqual({ b: {} });
  });

  // row: D1
  it("lists every fault of an input, with a call that would be right", async () => {
    const inputSchema = {
      type: "object",
      properties: { path: { type: "string" }, limit: { type: "integer", maximum: 10 } },
      required: ["path"],
    };
    const result = await registryWith({ inputSchema }).invoke("echo", { limit: 50 });
    if (result.ok) throw new Error("it is not valid");
    expect(result.issues).toHaveLength(2);
    expect(result.error).toMatch(/path/);
    expect(result.error).toMatch(/limit must be .*10, but it is 50/);
    expect(result.error).toContain("A valid input: ");
  });

  it("checks with the tool's own Standard Schema, also one that has to wait", async () => {
    const registry = createRegistry();
    const isFree = async (name: string): Promise<boolean> => (await settle(), name !== "taken");
    registry.register(
      defineTool({
        name: "sign-up",
        description: "Signs up.",
        inputSchema: z.object({ name: z.string().refine(isFree, "That name is taken.") }),
        handler: ({ name }) => name,
      }),
    );
    expect(await registry.invoke("sign-up", { name: "ada" })).toMatchObject({ ok: true, content: "ada" });
    const refused = await registry.invoke("sign-up", { name: "taken" });
    expect(refused).toMatchObject({ code: "INPUT_INVALID" });
    expect(!refused.ok && refused.error).toContain("That name is taken.");
  });

  it("names every call: with the id it was given, else with one of its own", async () => {
    const registry = registryWith({ handler: (_, { callId }) => callId });
    expect(await registry.invoke("echo", {}, { callId: "c-1" })).toMatchObject({ content: "c-1", meta: { callId: "c-1", tool: "echo" } });
    const ids = await Promise.all(Array.from({ length: 2_500 }, () => registry.invoke("echo", {}).then(({ meta }) => meta.callId)));
    expect(new Set(ids).size).toBe(2_500);
    expect((await registry.invoke("nothing", {})).meta.callId).not.toBe("");
  });
});

describe("an unknown name", () => {
  // row: B7
  it("is answered with the nearest names, or with the action of a tool that is called so", async () => {
    const registry = createRegistry();
    const actions = { type: "object", properties: { action: { enum: ["grep", "glob"] } } };
    registry.register(fakeTool({ name: "search", inputSchema: actions }));
    registry.register(fakeTool({ name: "read_file" }));
    const errorOf = async (name: string): Promise<string> => {
      const result = await registry.invoke(name, {});
      return result.ok ? "" : result.error;
    };
    expect(await errorOf("raed_file")).toBe('Tool "raed_file" was not found. Did you mean "read_file"?');
    expect(await errorOf("grep")).toContain('search {"action":"grep"}');
    expect(await errorOf("weather")).toBe('Tool "weather" was not found. List the tools to see what there is.');
  });

  it("is never answered with a tool that the caller may not see", async () => {
    const registry = createRegistry({ policy: readPolicyConfig({ tools: { deny: ["search"] } }) });
    registry.register(fakeTool({ name: "search" }));
    registry.register(fakeTool({ name: "search_owner", metadata: { ownerOnly: true } }));
    const result = await registry.invoke("serch", {});
    expect(!result.ok && result.error).toBe('Tool "serch" was not found. List the tools to see what there is.');
  });

  it("is cut short in the answer, and need not be a text", async () => {
    const registry = registryWith({});
    const long = await registry.invoke("x".repeat(1_000_000), {});
    expect(long).toMatchObject({ code: "TOOL_NOT_FOUND" });
    expect(!long.ok && long.error.length).toBeLessThan(500);
    for (const odd of [undefined, null, 5, {}, Symbol("s"), "", "@", "@1.0.0", "echo@", "__proto__", "constructor"]) {
      expect(await registry.invoke(odd as string, {})).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
    }
  });
});

describe("a tool for the owner only", () => {
  // row: A15
  it("answers 403 to everyone who is not known to be the owner", async () => {
    const registry = registryWith({ metadata: { ownerOnly: true } });
    for (const caller of [undefined, {}, { owner: false }, { agent: "ada" }]) {
      expect(await registry.invoke("echo", {}, { ...(caller && { caller }) })).toMatchObject({ code: "TOOL_NOT_ALLOWED", status: 403 });
    }
    expect(await registry.invoke("echo", {}, { caller: { owner: "yes" as unknown as boolean } })).toMatchObject({ code: "CONFIG_INVALID" });
    expect(await registry.invoke("echo", { text: "hi" }, { caller: { owner: true } })).toMatchObject({ ok: true, content: "hi" });
  });
});

describe("a policy", () => {
  it("decides about calls as about lists, also one that is put in place later", async () => {
    const registry = createRegistry();
    registry.register(fakeTool({ name: "exec" }));
    expect(await registry.invoke("exec", {})).toMatchObject({ ok: true });
    registry.setPolicy(readPolicyConfig({ tools: { deny: ["exec"] } }));
    expect(registry.view({}).tools).toEqual([]);
    expect(await registry.invoke("exec", {})).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
    registry.setPolicy(undefined);
    expect(await registry.invoke("exec", {})).toMatchObject({ ok: true });
  });

  it("looks at the arguments, also one that is put in place later", async () => {
    const registry = createRegistry();
    registry.register(fakeTool({ name: "exec" }));
    expect(await registry.invoke("exec", { text: "rm" })).toMatchObject({ ok: true });
    registry.setPolicy(readPolicyConfig({ tools: { conditions: [{ tool: "exec", deny: 'input.text == "rm"' }] } }));
    expect(await registry.invoke("exec", { text: "ls" })).toMatchObject({ ok: true });
    expect(await registry.invoke("exec", { text: "rm" })).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
  });
});

describe("the duration of a call", () => {
  // row: F4
  it("is that of the machine's clock: no shorter than the tool's work, no longer than the call seen from outside", async () => {
    let worked = 0;
    const registry = registryWith({
      handler: () => {
        const begun = performance.now();
        while (worked < 5) worked = performance.now() - begun;
        return "done";
      },
    });
    const before = performance.now();
    const { durationMs } = (await registry.invoke("echo", {})).meta;
    const seen = performance.now() - before;
    expect(durationMs).toBeGreaterThanOrEqual(worked);
    expect(durationMs).toBeLessThanOrEqual(seen);
  });

  // row: F4
  it("is reported for every outcome", async () => {
    const clock = createFakeClock(1_000);
    const registry = createRegistry({
      clock,
      hooks: { before: [({ input }) => (input["text"] === "block" ? { block: "No." } : undefined)] },
    });
    const pass = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));
    registry.register(fakeTool({ name: "slow", handler: async () => (await pass(20), "done") }));
    registry.register(fakeTool({ name: "fails", handler: async () => (await pass(30), Promise.reject(new Error("no"))) }));
    registry.register(fakeTool({ name: "hangs", handler: () => new Promise(() => {}), metadata: { limits: { timeoutMs: 40 } } }));
    const durationOf = async (name: string, input: unknown = {}): Promise<[string, number]> => {
      const pending = registry.invoke(name, input);
      await clock.advance(100);
      const result = await pending;
      return [result.ok ? "ok" : result.code, result.meta.durationMs];
    };
    expect(await durationOf("slow")).toEqual(["ok", 20]);
    expect(await durationOf("fails")).toEqual(["TOOL_FAILED", 30]);
    expect(await durationOf("hangs")).toEqual(["TIMEOUT", 40]);
    expect(await durationOf("nothing")).toEqual(["TOOL_NOT_FOUND", 0]);
    expect(await durationOf("slow", { text: 5 })).toEqual(["INPUT_INVALID", 0]);
    expect(await durationOf("slow", { text: "block" })).toEqual(["BLOCKED", 0]);
  });
});
