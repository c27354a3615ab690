import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Call } from "../../../../src/call/wrapper.ts";
import { createConcurrency } from "../../../../src/call/wrappers/limits/concurrency.ts";
import { type FakeCall, fakeCall, fakeTool } from "../../../../src/testing/fake-call.ts";
import { settle } from "../../../../src/testing/fake-clock.ts";
import { wrapperContract } from "../../../../src/testing/wrapper-contract.ts";
import type { ToolResult } from "../../../../src/tool/result.ts";

/** A handler that runs until it is told to end, and remembers the order of its starts. */
function slowHandler() {
  const started: string[] = [];
  const running = new Map<string, () => void>();
  let most = 0;
  const run = (call: Call): Promise<ToolResult> => {
    started.push(call.callId);
    return new Promise((resolve) => {
      running.set(call.callId, () => {
        running.delete(call.callId);
        resolve((call as FakeCall).succeed(call.callId));
      });
      most = Math.max(most, running.size);
    });
  };
  return { started, running, run, most: () => most, end: (callId: string) => running.get(callId)?.() };
}

describe("createConcurrency", () => {
  for (const check of wrapperContract("concurrency", () => createConcurrency({ limit: 2 }))) it(check.name, check.run);

  it("runs 20 calls with a limit of 5: never more at once, all finish, in the order they came", async () => {
    const handler = slowHandler();
    const run = createConcurrency({ limit: 5 }).run!(handler.run);
    const results = Array.from({ length: 20 }, (_, index) => run(fakeCall({ callId: `c${index}` })));
    while (handler.running.size > 0) {
      handler.end([...handler.running.keys()].at(-1)!);
      await settle();
    }
    expect(await Promise.all(results)).toHaveLength(20);
    expect(handler.most()).toBe(5);
    expect(handler.started).toEqual(Array.from({ length: 20 }, (_, index) => `c${index}`));
  });

  it("takes the limit of the tool before its own, and limits each tool for itself", async () => {
    const handler = slowHandler();
    const run = createConcurrency({ limit: 2 }).run!(handler.run);
    const one = fakeTool({ name: "one", metadata: { limits: { concurrency: 1 } } });
    const calls = ["a", "b"].map((callId) => run(fakeCall({ callId, tool: one })));
    calls.push(...["c", "d", "e"].map((callId) => run(fakeCall({ callId, tool: fakeTool({ name: "two" }) }))));
    await settle();
    expect(handler.started).toEqual(["a", "c", "d"]);
    for (const callId of ["a", "c", "b", "d", "e"]) {
      handler.end(callId);
      await settle();
    }
    expect(await Promise.all(calls)).toHaveLength(5);
  });

  it("lets no version of a tool with a higher limit pass those who wait", async () => {
    const handler = slowHandler();
    const run = createConcurrency().run!(handler.run);
    const limitedTo = (concurrency: number) => fakeTool({ metadata: { limits: { concurrency } } });
    const results = [
      ["a", 1],
      ["b", 1],
      ["c", 5],
    ].map(([callId, limit]) => run(fakeCall({ callId: String(callId), tool: limitedTo(Number(limit)) })));
    expect(handler.started).toEqual(["a"]);
    for (const callId of ["a", "b", "c"]) {
      handler.end(callId);
      await settle();
    }
    expect(handler.started).toEqual(["a", "b", "c"]);
    expect(await Promise.all(results)).toHaveLength(3);
  });

  it("applies only where there is a limit", () => {
    const limited = fakeTool({ metadata: { limits: { concurrency: 3 } } });
    expect(createConcurrency().appliesTo!(fakeTool())).toBe(false);
    expect(createConcurrency().appliesTo!(limited)).toBe(true);
    expect(createConcurrency({ limit: 1 }).appliesTo!(fakeTool())).toBe(true);
  });

  it("answers QUEUE_FULL when as many wait as may", async () => {
    const handler = slowHandler();
    const run = createConcurrency({ limit: 1, maxWaiting: 1 }).run!(handler.run);
    const first = run(fakeCall({ callId: "a" }));
    const second = run(fakeCall({ callId: "b" }));
    expect(await run(fakeCall({ callId: "c" }))).toMatchObject({ code: "QUEUE_FULL", status: 429, retryable: true });
    handler.end("a");
    await settle();
    handler.end("b");
    expect(await Promise.all([first, second])).toMatchObject([{ content: "a" }, { content: "b" }]);
  });

  it("lets an aborted call leave the queue at once, without its handler and without a place lost", async () => {
    const handler = slowHandler();
    const run = createConcurrency({ limit: 1, maxWaiting: 2 }).run!(handler.run);
    const [a, b, c] = ["a", "b", "c"].map((callId) => fakeCall({ callId })) as [FakeCall, FakeCall, FakeCall];
    const results = [a, b, c].map((call) => run(call));
    b.abort();
    expect(await results[1]).toMatchObject({ code: "ABORTED" });
    expect(b.listeners).toBe(0);
    const late = fakeCall({ callId: "d" });
    const lateResult = run(late);
    for (const callId of ["a", "c", "d"]) {
      handler.end(callId);
      await settle();
    }
    expect(await Promise.all([results[0], results[2], lateResult])).toMatchObject([{ content: "a" }, { content: "c" }, { content: "d" }]);
    expect(handler.started).toEqual(["a", "c", "d"]);
    expect(c.listeners + late.listeners).toBe(0);
  });

  it("answers TIMEOUT to a call whose time ran out in the queue", async () => {
    const handler = slowHandler();
    const run = createConcurrency({ limit: 1 }).run!(handler.run);
    void run(fakeCall({ callId: "a" }));
    const waiting = fakeCall({ callId: "b" });
    const result = run(waiting);
    waiting.abort(new DOMException("Timed out", "TimeoutError"));
    expect(await result).toMatchObject({ code: "TIMEOUT" });
    handler.end("a");
  });

  it("gives the place on when a call is aborted between getting it and starting", async () => {
    const handler = slowHandler();
    let firstResult: Promise<ToolResult> | undefined;
    const run = createConcurrency({ limit: 1 }).run!((call) => {
      const result = handler.run(call);
      firstResult ??= result;
      return result;
    });
    const next = fakeCall({ callId: "b" });
    const results = [run(fakeCall({ callId: "a" })), run(next), run(fakeCall({ callId: "c" }))];
    void firstResult!.then(() => next.abort()); // runs right after the place was handed over
    handler.end("a");
    await settle();
    expect(handler.started).toEqual(["a", "c"]);
    handler.end("c");
    expect(await Promise.all(results)).toMatchObject([{ content: "a" }, { code: "ABORTED" }, { content: "c" }]);
  });

  it("has no cost of waiting for handlers that answer at once", () => {
    const run = createConcurrency({ limit: 1 }).run!((call) => (call as FakeCall).succeed("now"));
    for (let index = 0; index < 100; index++) expect(run(fakeCall())).toMatchObject({ content: "now" });
  });

  it("never runs more than the limit, starts in order and ends every call, whatever ends or is aborted when", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("call" as const) }),
      fc.record({ do: fc.constant("end" as const), pick: fc.nat() }),
      fc.record({ do: fc.constant("abort" as const), pick: fc.nat() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 40 }), async (limit, steps) => {
        const handler = slowHandler();
        const run = createConcurrency({ limit, maxWaiting: 100 }).run!(handler.run);
        const calls: FakeCall[] = [];
        const results: (ToolResult | Promise<ToolResult>)[] = [];
        for (const action of steps) {
          if (action.do === "call") {
            calls.push(fakeCall({ callId: String(calls.length) }));
            results.push(run(calls.at(-1)!));
          } else if (action.do === "end") handler.end([...handler.running.keys()][action.pick % (handler.running.size || 1)] ?? "");
          else if (calls.length > 0) {
            const call = calls[action.pick % calls.length]!;
            if (!handler.running.has(call.callId)) call.abort();
          }
          await settle();
          expect(handler.running.size).toBeLessThanOrEqual(limit);
        }
        while (handler.running.size > 0) {
          handler.end([...handler.running.keys()][0]!);
          await settle();
        }
        expect(await Promise.all(results)).toHaveLength(calls.length);
        expect(handler.started).toEqual([...handler.started].sort((a, b) => Number(a) - Number(b)));
        expect(calls.reduce((sum, call) => sum + call.listeners, 0)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
