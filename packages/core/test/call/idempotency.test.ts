import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIdempotentCalls } from "../../src/call/idempotency.ts";
import { ToolError } from "../../src/errors.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { createFakeClock, settle } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { Caller } from "../../src/tool/context.ts";
import type { ToolResult } from "../../src/tool/result.ts";

/** A tool that takes payments, and how often it ran. */
function createPaying(options: RegistryOptions = {}, handler: () => unknown = () => "paid"): { registry: Registry; runs: () => number } {
  let runs = 0;
  const registry = createRegistry(options);
  const inputSchema = { type: "object", properties: { amount: { type: "number" } } };
  registry.register(fakeTool({ name: "pay", inputSchema, handler: () => (runs++, handler()) }));
  return { registry, runs: () => runs };
}

const key = { idempotencyKey: "k-1" };

describe("an idempotency key", () => {
  it("that comes twice means one execution and the identical answer, whatever the order of the arguments' keys", async () => {
    const { registry, runs } = createPaying({}, () => ({ receipt: Math.random() }));
    const first = await registry.invoke("pay", { amount: 5, note: "x" }, key);
    expect(await registry.invoke("pay", { note: "x", amount: 5 }, key)).toEqual(first);
    expect(first.ok).toBe(true);
    expect(runs()).toBe(1);
  });

  it("that comes again while the first call runs waits for its answer", async () => {
    const { registry, runs } = createPaying({}, async () => (await settle(), "paid"));
    const answers = await Promise.all([1, 2, 3].map(() => registry.invoke("pay", {}, key)));
    expect(answers[1]).toBe(answers[0]);
    expect(answers[2]).toBe(answers[0]);
    expect(runs()).toBe(1);
  });

  it("is refused with other arguments", async () => {
    const { registry, runs } = createPaying();
    await registry.invoke("pay", { amount: 5 }, key);
    const refused = await registry.invoke("pay", { amount: 500 }, key);
    expect(refused).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(!refused.ok && refused.error).toBe('The idempotency key "k-1" was used for tool "pay" with other arguments. Use a new key.');
    expect(runs()).toBe(1);
  });

  it("RC2: is free again after a call that a shutdown cut before its handler began, and kept after one whose handler had", async () => {
    const { registry, runs } = createPaying();
    const shutDown = new ToolError("ABORTED", "The server shut down before the call ended.", { retryAfterMs: 1_000 });
    const cut = await registry.invoke("pay", { amount: 5 }, { ...key, signal: AbortSignal.abort(shutDown) });
    expect(cut).toMatchObject({ code: "ABORTED", retryable: true });
    expect(await registry.invoke("pay", { amount: 5 }, key)).toMatchObject({ ok: true });
    expect(runs()).toBe(1);

    registry.register(fakeTool({ name: "hang", handler: () => new Promise(() => {}) }));
    const controller = new AbortController();
    const hanging = registry.invoke("hang", {}, { idempotencyKey: "k-2", signal: controller.signal });
    await settle();
    controller.abort(shutDown);
    const first = await hanging;
    expect(first).toMatchObject({ code: "ABORTED", retryable: false });
    expect(await registry.invoke("hang", {}, { idempotencyKey: "k-2" })).toBe(first);
  });

  it("belongs to one tool and one caller: nobody gets another's answer", async () => {
    const { registry, runs } = createPaying();
    registry.register(fakeTool({ name: "refund" }));
    const callers: Caller[] = [
      {},
      { tenant: "a" },
      { agent: "a" },
      { sender: "a" },
      { session: "a" },
      { owner: true },
      { roles: ["a"] },
      { tenant: "a", agent: "a" },
    ];
    for (const caller of callers) expect(await registry.invoke("pay", {}, { ...key, caller })).toMatchObject({ ok: true });
    expect(runs()).toBe(callers.length);
    expect(await registry.invoke("refund", {}, key)).toMatchObject({ meta: { tool: "refund" } });
    await registry.invoke("pay", {}, { ...key, caller: { agent: "a", tenant: "a" } });
    expect(runs()).toBe(callers.length);
  });

  it("keeps the failure of a tool that ran, since it may have done half of its work", async () => {
    const clock = createFakeClock();
    const failing = createPaying({}, () => Promise.reject(new Error("connection lost")));
    expect(await failing.registry.invoke("pay", {}, key)).toMatchObject({ code: "TOOL_FAILED" });
    expect(await failing.registry.invoke("pay", {}, key)).toMatchObject({ code: "TOOL_FAILED" });
    expect(failing.runs()).toBe(1);
    const hanging = createPaying({ clock }, () => new Promise(() => {}));
    const timedOut = hanging.registry.invoke("pay", {}, { ...key, timeoutMs: 10 });
    await clock.advance(10);
    expect(await timedOut).toMatchObject({ code: "TIMEOUT" });
    expect(await hanging.registry.invoke("pay", {}, key)).toMatchObject({ code: "TIMEOUT" });
    expect(hanging.runs()).toBe(1);
  });

  it("is free again after a call that was refused before it ran", async () => {
    const { registry, runs } = createPaying({ limits: { rate: [{ calls: 1, perMs: 1_000 }] }, clock: createFakeClock() });
    expect(await registry.invoke("pay", { amount: "five" }, key)).toMatchObject({ code: "INPUT_INVALID" });
    registry.disable("pay");
    expect(await registry.invoke("pay", {}, key)).toMatchObject({ code: "TOOL_DISABLED" });
    registry.enable("pay");
    expect(await registry.invoke("pay", { amount: 5 }, key)).toMatchObject({ ok: true });
    expect(await registry.invoke("pay", { amount: 5 }, key)).toMatchObject({ ok: true });
    expect(runs()).toBe(1);
    expect(await registry.invoke("pay", {}, { idempotencyKey: "k-2" })).toMatchObject({ code: "RATE_LIMITED" });
  });

  it("goes with the approval of the call that it named", async () => {
    const registry = createRegistry();
    registry.register(fakeTool({ handler: async (_, { ask }) => (await ask({ message: "Really?" })).action }));
    const refused = await registry.invoke("echo", {}, key);
    expect(refused).toMatchObject({ code: "APPROVAL_REQUIRED" });
    const approval = { digest: (!refused.ok && refused.approval?.digest) || "", answer: { action: "accept" as const } };
    expect(await registry.invoke("echo", {}, { ...key, approval })).toMatchObject({ ok: true, content: "accept" });
  });

  it("is refused for arguments or callers that cannot be compared", async () => {
    const { registry, runs } = createPaying();
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    const hostile = new Proxy({}, { ownKeys: () => expect.fail("no looking") });
    for (const input of [{ amount: 5n }, circular, hostile]) {
      expect(await registry.invoke("pay", input, key)).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    }
    expect(await registry.invoke("pay", {}, { ...key, caller: circular })).toMatchObject({ ok: false, code: "CONFIG_INVALID" });
    expect(runs()).toBe(0);
  });

  it("means one execution for each distinct key, tool, caller and input, however calls are interleaved", async () => {
    const call = fc.record({
      key: fc.constantFrom("a", "b", "__proto__"),
      agent: fc.constantFrom(undefined, "x"),
      amount: fc.constantFrom(1, 2),
      wait: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 20 }), async (calls) => {
        const { registry, runs } = createPaying({}, async () => (await settle(), "paid"));
        const first = new Map<string, number>();
        const pending: Promise<[ToolResult, boolean]>[] = [];
        for (const { key: idempotencyKey, agent, amount, wait } of calls) {
          const owner = JSON.stringify([idempotencyKey, agent]);
          if (!first.has(owner)) first.set(owner, amount);
          const isSame = first.get(owner) === amount;
          const caller = agent === undefined ? {} : { agent };
          pending.push(registry.invoke("pay", { amount }, { idempotencyKey, caller }).then((result) => [result, isSame]));
          if (wait) await settle();
        }
        for (const [result, isSame] of await Promise.all(pending)) expect(result.ok).toBe(isSame);
        expect(runs()).toBe(first.size);
      }),
      { numRuns: 50 },
    );
  });
});

describe("createIdempotentCalls", () => {
  it("forgets the oldest key for want of room", async () => {
    const calls = createIdempotentCalls(2);
    let made = 0;
    const once = (idempotencyKey: string): Promise<ToolResult> =>
      calls.once(
        "pay",
        {},
        { idempotencyKey },
        async () => ({ ok: true, content: String(++made), meta: { callId: "", tool: "pay", durationMs: 0 } }),
        () => expect.unreachable(),
      );
    for (const name of ["a", "b", "c", "b", "c", "a"]) await once(name);
    expect(made).toBe(4);
  });
});
