import { describe, expect, it } from "vitest";
import { createLoopDetection } from "../../../../src/call/wrappers/limits/loop-detection.ts";
import type { LoopDetectionOptions } from "../../../../src/call/loop-options.ts";
import { fakeCall, fakeTool } from "../../../../src/testing/fake-call.ts";
import { wrapperContract } from "../../../../src/testing/wrapper-contract.ts";
import type { Caller } from "../../../../src/tool/context.ts";

/** Makes calls through one detector that warns after 3 and refuses after 5; answers how each went. */
function setUp(options: LoopDetectionOptions = { warnAt: 3, blockAt: 5 }) {
  const detector = createLoopDetection(options);
  return (input: Record<string, unknown>, outcome: string, more: { name?: string; caller?: Caller; data?: unknown } = {}) => {
    const call = fakeCall({ input, caller: more.caller ?? { run: "r" }, tool: fakeTool({ name: more.name ?? "poll" }) });
    const refused = detector.beforeRun!(call);
    if (refused) return refused as { code: string; error: string };
    void detector.finish!(call.succeed(outcome, more.data === undefined ? {} : { data: more.data }), call);
    return call.warnings.length > 0 ? "warned" : "fine";
  };
}

const times = <Value>(count: number, make: (index: number) => Value): Value[] => Array.from({ length: count }, (_, index) => make(index));

describe("createLoopDetection", () => {
  for (const check of wrapperContract("loop-detection", () => createLoopDetection(), { caller: { run: "r" } })) it(check.name, check.run);

  it("warns, then refuses the same call with the same outcome", () => {
    const call = setUp();
    expect(times(5, () => call({ id: 1 }, "waiting"))).toEqual(["fine", "fine", "fine", "warned", "warned"]);
    expect(call({ id: 1 }, "waiting")).toMatchObject({
      code: "LOOP_DETECTED",
      error: 'Tool "poll" was called 5 times with the same arguments and the same outcome. It was not made again. Try something else.',
    });
  });

  it("takes arguments in another order for the same, and other arguments or another tool for others", () => {
    const call = setUp();
    expect(times(5, (index) => call(index % 2 ? { a: 1, b: { c: 2, d: 3 } } : { b: { d: 3, c: 2 }, a: 1 }, "same")).at(-1)).toBe("warned");
    expect(times(20, (index) => call({ page: index }, "same")).every((went) => went === "fine")).toBe(true);
    expect(times(5, (index) => call({}, "same", { name: `tool-${index}` })).every((went) => went === "fine")).toBe(true);
  });

  it("counts anew when the outcome changes, in text or in data", () => {
    const call = setUp();
    expect(times(40, (index) => call({}, `${index} %`)).every((went) => went === "fine")).toBe(true);
    expect(times(40, (index) => call({ x: 1 }, "ok", { data: { row: index } })).every((went) => went === "fine")).toBe(true);
    times(4, () => call({ y: 1 }, "old"));
    call({ y: 1 }, "new");
    expect(call({ y: 1 }, "new")).toBe("fine");
  });

  it("counts failures by their code and text: another failure is another outcome", () => {
    const detector = createLoopDetection({ warnAt: 3, blockAt: 5 });
    const failing = (error: string): string => {
      const call = fakeCall({ input: {}, caller: { run: "r" }, tool: fakeTool({ name: "poll" }) });
      if (detector.beforeRun!(call)) return "refused";
      void detector.finish!(call.fail("TOOL_FAILED", error), call);
      return call.warnings.length > 0 ? "warned" : "fine";
    };
    expect(times(20, (index) => failing(`Row ${index} is locked.`)).every((went) => went === "fine")).toBe(true);
    expect(times(6, () => failing("It is locked.")).at(-1)).toBe("refused");
  });

  it("sees the loop also when other calls come in between", () => {
    const call = setUp({ warnAt: 3, blockAt: 5, history: 30 });
    const went = times(6, (index) => {
      call({ other: index }, `other ${index}`);
      call({ other: -index }, `another ${index}`);
      return call({ id: 1 }, "waiting");
    });
    expect(went.at(-1)).toMatchObject({ code: "LOOP_DETECTED" });
  });

  it("refuses two calls that take turns, and lets a third one through", () => {
    const call = setUp({ warnAt: 4, blockAt: 6 });
    const went = times(8, (index) => call({ side: index % 2 }, index % 2 ? "ping" : "pong"));
    expect(went.slice(0, 6)).toEqual(["fine", "fine", "fine", "fine", "warned", "warned"]);
    expect(went[6]).toMatchObject({ code: "LOOP_DETECTED", error: expect.stringContaining("taken turns for 6 calls") });
    expect(call({ side: 2 }, "something else")).toBe("fine");
    expect(call({ side: 0 }, "pong")).toBe("fine");
  });

  it("does not mind two calls that take turns and get on", () => {
    const call = setUp({ warnAt: 3, blockAt: 5 });
    expect(times(30, (index) => call({ side: index % 2 }, `step ${index}`)).every((went) => went === "fine")).toBe(true);
  });

  it("counts failures too, but not aborts", () => {
    const detector = createLoopDetection({ warnAt: 1, blockAt: 2 });
    const fail = (code: "TOOL_FAILED" | "ABORTED", run: string) => {
      const call = fakeCall({ caller: { run } });
      const refused = detector.beforeRun!(call);
      if (!refused) void detector.finish!(call.fail(code, "No."), call);
      return refused;
    };
    expect(times(3, () => fail("TOOL_FAILED", "a")).at(-1)).toMatchObject({ code: "LOOP_DETECTED" });
    expect(times(9, () => fail("ABORTED", "b")).at(-1)).toBeUndefined();
  });

  it("keeps runs and sessions apart, and watches nothing where neither is known", () => {
    const call = setUp({ warnAt: 1, blockAt: 2 });
    const went = (caller: Caller) => times(3, () => call({}, "same", { caller })).at(-1);
    expect(went({ run: "a" })).toMatchObject({ code: "LOOP_DETECTED" });
    expect(went({ session: "a" })).toMatchObject({ code: "LOOP_DETECTED" });
    expect(call({}, "same", { caller: { run: "b" } })).toBe("fine");
    expect(went({})).toBe("fine");
  });

  it("lets pass what cannot be compared: arguments or data that contain themselves", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    const call = setUp({ warnAt: 1, blockAt: 2 });
    expect(times(5, () => call(circular, "same")).every((went) => went === "fine")).toBe(true);
    expect(times(5, () => call({}, "same", { data: circular })).every((went) => went === "fine")).toBe(true);
  });

  it("remembers no more calls of a run than it is told to", () => {
    const call = setUp({ warnAt: 3, blockAt: 5, history: 5 });
    times(4, () => call({ id: 1 }, "waiting"));
    times(5, (index) => call({ other: index }, "other"));
    expect(call({ id: 1 }, "waiting")).toBe("fine");
  });

  it("forgets the runs not heard of for longest", () => {
    const call = setUp({ warnAt: 1, blockAt: 2, maxRuns: 4 });
    times(2, () => call({}, "same", { caller: { run: "first" } }));
    times(10, (index) => call({}, "same", { caller: { run: `run-${index}` } }));
    expect(call({}, "same", { caller: { run: "first" } })).toBe("fine");
  });

  it("does not take a warning that comes after the refusal", () => {
    expect(() => createLoopDetection({ warnAt: 6, blockAt: 5 })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });
});
