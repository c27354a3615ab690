import { describe, expect, it } from "vitest";
import { optionsFault } from "../../src/call/check-options.ts";
import type { InvokeOptions } from "../../src/call/host.ts";

const { signal } = new AbortController();

/** The same members, and how often each was read. */
function counting(members: object): { object: object; reads: Record<string, number> } {
  const reads: Record<string, number> = {};
  const object = {};
  for (const [name, value] of Object.entries(members)) {
    reads[name] = 0;
    const get = (): unknown => (reads[name]!++, value);
    Object.defineProperty(object, name, { get, enumerable: true });
  }
  return { object, reads };
}

const once = (members: object): object => Object.fromEntries(Object.keys(members).map((name) => [name, 1]));

describe("the options of a call", () => {
  it("that most calls have are looked at once: the check runs at every call", () => {
    for (const timeoutMs of [100, false]) {
      const usual = { signal, timeoutMs, callId: "c-1" };
      const { object, reads } = counting(usual);
      expect(optionsFault(object)).toBeUndefined();
      expect(reads).toEqual(once(usual));
    }
  });

  it("and so is each field of a caller, but for those that are rare", () => {
    const texts = ["agent", "principal", "session", "run", "provider", "model", "channel", "group", "sender", "tenant", "phase"];
    const usual = { ...Object.fromEntries(texts.map((name) => [name, "x"])), owner: true, sandboxed: false };
    const { object, reads } = counting(usual);
    expect(optionsFault({ caller: object })).toBeUndefined();
    expect(reads).toEqual(once(usual));
  });

  it.each<InvokeOptions>([
    {},
    { caller: { agent: "a", roles: ["admin"], subagentDepth: 0 } },
    { parent: {} as never },
    { idempotencyKey: "k" },
    { onProgress: () => undefined },
    { approval: { digest: "d", answer: {} } as never },
    { approval: [] },
    { trace: {} as never, timeoutMs: 0 },
    { callId: undefined as never, caller: undefined as never, signal: undefined as never },
  ])("are accepted where each is of its kind: %j", (options) => {
    expect(optionsFault(options)).toBeUndefined();
  });

  it.each([
    [[], "invoke must be given an object"],
    [{ toString: 5 }, 'unknown option "toString"'],
    [{ caller: [] }, "The caller must be an object such as"],
    [{ caller: { agent: 5 } }, 'The caller: "agent" must be a text'],
    [{ caller: { sandboxed: "no" } }, 'The caller: "sandboxed" must be true or false'],
    [{ caller: { subagentDepth: -1 } }, 'The caller: "subagentDepth" must be a number of 0 or more'],
    [{ parent: "c-1" }, '"parent" must be the call that makes this one'],
    [{ approval: ["yes"] }, '"approval" must be { digest, answer } or a list of those'],
    [{ signal: null }, '"signal" must be an AbortSignal'],
    [{ timeoutMs: true }, '"timeoutMs" must be a number of milliseconds, or false'],
  ])("are refused by name otherwise: %j", (options, sentence) => {
    expect(optionsFault(options as never)).toContain(sentence);
  });
});
