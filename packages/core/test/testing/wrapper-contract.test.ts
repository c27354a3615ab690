import { describe, expect, it } from "vitest";
import type { Wrapper } from "../../src/call/wrapper.ts";
import { wrapperContract } from "../../src/testing/wrapper-contract.ts";

/** The checks that a wrapper fails, without their prefix. */
async function failed(wrapper: Wrapper): Promise<string[]> {
  const checks = wrapperContract("w", () => wrapper);
  const outcomes = await Promise.allSettled(checks.map((check) => check.run()));
  return checks.filter((_, index) => outcomes[index]!.status === "rejected").map((check) => check.name.slice("w: ".length));
}

describe("wrapperContract", () => {
  it("is met by a wrapper that does nothing", async () => {
    expect(await failed({ name: "nothing" })).toEqual([]);
  });

  it.each<[string, Wrapper, string]>([
    ["has no name", { name: "" }, "has a name that can be printed"],
    ["does not apply", { name: "w", appliesTo: () => false }, "says of any tool whether it applies, and applies to the tool at hand"],
    [
      "copies every input",
      { name: "w", prepare: (input) => ({ ...input }) },
      "prepares an input without changing it, and a prepared one not again",
    ],
    [
      "writes to the input",
      { name: "w", prepare: (input) => Object.assign(input, { more: 1 }) },
      "prepares an input without changing it, and a prepared one not again",
    ],
    ["sets a prototype", { name: "w", prepare: (input) => Object.assign({}, input) }, "keeps a __proto__ key of the input a plain key"],
    [
      "refuses everything",
      { name: "w", beforeRun: (call) => call.fail("BLOCKED", "No.") },
      "lets an ordinary call through, whether its handler waits or not",
    ],
    [
      "throws",
      {
        name: "w",
        beforeRun: () => {
          throw new Error("no");
        },
      },
      "lets an ordinary call through, whether its handler waits or not",
    ],
    ["rejects", { name: "w", finish: () => Promise.reject(new Error("no")) }, "takes callers with strange names"],
    ["writes to a result", { name: "w", finish: (result) => Object.assign(result, { ok: true }) }, "does not write to a result"],
    [
      "turns failures into successes",
      { name: "w", finish: (result) => ({ ok: true, content: "fine", meta: result.meta }) },
      "leaves a failure a failure with its code",
    ],
    [
      "leaves a timer",
      { name: "w", beforeRun: (call) => void call.clock.after(10, () => {}) },
      "lets an ordinary call through, whether its handler waits or not",
    ],
    [
      "leaves a listener",
      { name: "w", beforeRun: (call) => call.signal.addEventListener("abort", () => {}) as undefined },
      "answers every one of a hundred calls at once",
    ],
    [
      "never ends after an abort",
      { name: "w", run: (next) => (call) => (call.signal.aborted ? new Promise(() => {}) : next(call)) },
      "answers a call that was aborted before it began",
    ],
    [
      "hides the abort",
      { name: "w", finish: (result, call) => (call.signal.aborted ? call.fail("TOOL_FAILED", "No.") : result) },
      "answers a call that is aborted while it runs",
    ],
  ])("finds a wrapper that %s", async (_, wrapper, check) => {
    expect(await failed(wrapper)).toContain(check);
  });
});
