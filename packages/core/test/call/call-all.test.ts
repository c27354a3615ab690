import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";

describe("callAll", () => {
  const clock = createFakeClock();
  const registry = createRegistry({ clock });
  registry.register(
    fakeTool({
      name: "wait",
      inputSchema: { type: "object", properties: { ms: { type: "number" } }, required: ["ms"] },
      handler: async ({ ms }: { ms: number }) => {
        await new Promise<void>((resolve) => void clock.after(ms, resolve));
        return `waited ${ms}`;
      },
    }),
  );

  // row: F13
  it("runs the calls of one reply at once, and answers in their order under their ids, the slow one first", async () => {
    const startedAt = clock.now();
    const pending = registry.callAll([
      { name: "wait", input: { ms: 30 }, callId: "slow" },
      { name: "wait", input: { ms: 10 }, callId: "quick" },
      { name: "wait", input: { ms: 20 }, callId: "middle" },
    ]);
    await clock.advance(30);
    const results = await pending;
    expect(results.map((result) => result.ok && [result.meta.callId, result.content])).toEqual([
      ["slow", "waited 30"],
      ["quick", "waited 10"],
      ["middle", "waited 20"],
    ]);
    expect(clock.now() - startedAt).toBe(30);
  });

  it("gives each its own outcome: one that fails spoils no other", async () => {
    const pending = registry.callAll([
      { name: "nothing", input: {} },
      { name: "wait", input: {} },
      { name: "wait", input: { ms: 1 } },
    ]);
    await clock.advance(1);
    expect((await pending).map((result) => (result.ok ? "ok" : result.code))).toEqual(["TOOL_NOT_FOUND", "INPUT_INVALID", "ok"]);
    expect(await registry.callAll([])).toEqual([]);
  });

  it("makes all of them as the same caller, under the same signal and trace", async () => {
    const controller = new AbortController();
    const callers: unknown[] = [];
    const listener = (event: { type: string }): void => void (event.type === "call-start" && callers.push(event));
    registry.subscribe(listener);
    const pending = registry.callAll(
      [
        { name: "wait", input: { ms: 50 } },
        { name: "wait", input: { ms: 60 } },
      ],
      {
        caller: { agent: "ada" },
        signal: controller.signal,
        trace: "t-1",
      },
    );
    controller.abort();
    expect(await pending).toMatchObject([{ code: "ABORTED" }, { code: "ABORTED" }]);
    registry.unsubscribe(listener);
    expect(callers).toMatchObject([
      { caller: { agent: "ada" }, trace: "t-1" },
      { caller: { agent: "ada" }, trace: "t-1" },
    ]);
  });

  it("keeps the order, whatever takes how long", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 12 }), async (waits) => {
        const pending = registry.callAll(waits.map((ms, index) => ({ name: "wait", input: { ms }, callId: `call-${index}` })));
        await clock.advance(50);
        expect((await pending).map((result) => result.ok && [result.meta.callId, result.content])).toEqual(
          waits.map((ms, index) => [`call-${index}`, `waited ${ms}`]),
        );
      }),
      { numRuns: 30 },
    );
  });
});
