import { describe, expect, it } from "vitest";
import { defaultTimeoutMs } from "../../src/tool/time-limit.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { createFakeClock, settle } from "../../src/testing/fake-clock.ts";
import type { Answer, CallContext } from "../../src/tool/context.ts";
import type { ToolResult } from "../../src/tool/result.ts";
import type { ToolDefinition } from "../../src/tool/tool.ts";
import { readPolicyConfig } from "../../src/policy/config/config.ts";

const never = new Promise<never>(() => {});

function open(tools: readonly Partial<ToolDefinition>[], options: RegistryOptions = {}) {
  const clock = createFakeClock();
  const registry = createRegistry({ clock, ...options });
  for (const tool of tools) registry.register(fakeTool(tool));
  return { clock, registry };
}

/** What is known of a call so far: its code, "ok" or "running". */
function follow(call: Promise<ToolResult>): { now(): Promise<string> } {
  let state = "running";
  void call.then((result) => (state = result.ok ? "ok" : result.code));
  return { now: () => settle().then(() => state) };
}

describe("a handler that never settles", () => {
  it("ends after five minutes where nobody set a limit, and its signal is aborted", async () => {
    let signal: AbortSignal | undefined;
    const { clock, registry } = open([{ name: "hang", handler: (_: unknown, context: CallContext) => ((signal = context.signal), never) }]);
    const call = registry.invoke("hang", {});
    const followed = follow(call);
    await clock.advance(299_999);
    expect(await followed.now()).toBe("running");
    await clock.advance(1);
    expect(await followed.now()).toBe("TIMEOUT");
    expect(defaultTimeoutMs).toBe(300_000);
    expect(await call).toMatchObject({ status: 504, error: expect.stringContaining("300000 ms") });
    expect(signal?.reason).toMatchObject({ name: "TimeoutError" });
  });

  it.each<[who: string, options: RegistryOptions, tool: Partial<ToolDefinition>, call: { timeoutMs?: false }]>([
    ["the registry", { limits: { timeoutMs: false } }, {}, {}],
    ["the tool", { limits: { timeoutMs: 10 } }, { metadata: { limits: { timeoutMs: false } } }, {}],
    ["the call", { limits: { timeoutMs: 10 } }, { metadata: { limits: { timeoutMs: 20 } } }, { timeoutMs: false }],
  ])("runs on where %s lifts the limit with false", async (_who, options, tool, call) => {
    const { clock, registry } = open([{ name: "hang", ...tool, handler: () => never }], options);
    const followed = follow(registry.invoke("hang", {}, call));
    await clock.advance(86_400_000);
    expect(await followed.now()).toBe("running");
  });

  it("takes the limit of its tool before that of the registry", async () => {
    const tool = { name: "hang", metadata: { limits: { timeoutMs: 900_000 } }, handler: () => never };
    const { clock, registry } = open([tool], { limits: { timeoutMs: 10 } });
    const followed = follow(registry.invoke("hang", {}));
    await clock.advance(899_999);
    expect(await followed.now()).toBe("running");
    await clock.advance(1);
    expect(await followed.now()).toBe("TIMEOUT");
  });
});

describe("a time limit and people", () => {
  function withPerson(tools: readonly Partial<ToolDefinition>[], more: RegistryOptions = {}) {
    const answers: ((answer: Answer) => void)[] = [];
    const approver = { ask: () => new Promise<Answer>((resolve) => void answers.push(resolve)) };
    return { answers, ...open(tools, { approver, limits: { timeoutMs: 1_000 }, ...more }) };
  }
  const asking: Partial<ToolDefinition> = {
    name: "asking",
    handler: async (_: unknown, { ask }: CallContext) => {
      await ask({ message: "Go on?" });
      return never;
    },
  };

  it("does not count while a handler waits for an answer, and goes on from there", async () => {
    const { clock, registry, answers } = withPerson([asking]);
    const followed = follow(registry.invoke("asking", {}));
    await clock.advance(400);
    await settle();
    await clock.advance(3_600_000);
    expect(await followed.now()).toBe("running");
    answers[0]!({ action: "accept" });
    await settle();
    await clock.advance(500);
    expect(await followed.now()).toBe("running");
    await clock.advance(600);
    expect(await followed.now()).toBe("TIMEOUT");
  });

  it("does not count for the tool whose call waits for approval of a call of its own", async () => {
    const policy = readPolicyConfig({ tools: { conditions: [{ tool: "inner", ask: "true" }] } });
    const outer: Partial<ToolDefinition> = {
      name: "outer",
      handler: async (_: unknown, { call }: CallContext) => call("inner", {}),
    };
    const { clock, registry, answers } = withPerson([outer, { name: "inner", handler: () => "done" }], { policy });
    const followed = follow(registry.invoke("outer", {}));
    await settle();
    await clock.advance(3_600_000);
    expect(await followed.now()).toBe("running");
    answers[0]!({ action: "accept" });
    expect(await followed.now()).toBe("ok");
  });

  it("is over for a handler that ended while nobody answered", async () => {
    let leave!: () => void;
    const left = new Promise<void>((resolve) => (leave = resolve));
    const leaving: Partial<ToolDefinition> = {
      name: "leaving",
      handler: async (_: unknown, { ask }: CallContext) => {
        void ask({ message: "Go on?" });
        await left;
        return "left";
      },
    };
    const { clock, registry, answers } = withPerson([leaving]);
    const followed = follow(registry.invoke("leaving", {}));
    await clock.advance(2_000);
    expect(await followed.now()).toBe("running");
    leave();
    expect(await followed.now()).toBe("ok");
    answers[0]!({ action: "accept" });
    await settle();
    expect(clock.pending).toBe(0);
  });
});
