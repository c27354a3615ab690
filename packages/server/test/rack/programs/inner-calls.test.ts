import type { CallContext } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { InnerCalls } from "../../../src/rack/programs/inner-calls.ts";
import { createPassedLabels } from "../../../src/rack/programs/passed-labels.ts";
import { createSeenShapes } from "../../../src/rack/programs/seen-shapes.ts";

type Show = ConstructorParameters<typeof InnerCalls>[0]["calls"]["show"];

/** The calls of a program with one tool, "pay". */
function innerCalls(show: Show, isResumed: boolean, above?: InnerCalls): { readonly inner: InnerCalls; readonly made: string[] } {
  const made: string[] = [];
  const context = {
    caller: { agent: "worker" },
    signal: new AbortController().signal,
    call: async (tool: string, _input: unknown, { callId }: { callId: string }) => {
      made.push(`${tool} ${callId}`);
      return { ok: true, content: "paid", meta: {} };
    },
  } as unknown as CallContext;
  const registry = { view: () => ({ tools: [], offered: () => undefined }), entries: () => [], revision: 1 } as never;
  const parts = { registry, reranker: undefined, passed: createPassedLabels(() => []), seen: createSeenShapes(), calls: { show } };
  const reach = { tools: [], names: ["pay"], inside: [], labels: new Map() };
  return { inner: new InnerCalls(parts, context, reach, { isResumed, above }), made };
}

const call = { callId: "1", tool: "pay", input: {}, inputLabels: {}, context: [] } as never;
const pending = { number: "1", attempt: 1, callId: "c-1", tool: "pay", input: {}, labels: {}, line: 1, server: "one" };
const goesOn = (): undefined => undefined;
const unknown: Show = async () => undefined;

describe("a call of a program", () => {
  it("is made under the id that the record of the program has", async () => {
    const { inner, made } = innerCalls(unknown, true);
    expect(await inner.make(call, pending, goesOn)).toEqual({ callId: "1", result: "paid" });
    expect(made).toEqual(["pay c-1"]);
  });

  it("is not made again where the log has it already", async () => {
    const { inner, made } = innerCalls(async () => ({}) as never, true);
    expect(await inner.make(call, pending, goesOn)).toBe("replayed");
    expect(made).toEqual([]);
  });

  it("is not made, and the program is told, where the log cannot be read", async () => {
    const { inner, made } = innerCalls(() => Promise.reject(new Error("postgres://user:password@host is gone")), true);
    const message = 'The log of calls cannot be read, so "pay" was not called. Call it again.';
    expect(await inner.make(call, pending, goesOn)).toEqual({
      callId: "1",
      error: { code: "STORE_UNAVAILABLE", message, retryable: true },
    });
    expect(made).toEqual([]);
  });

  it("is not made once the program was stopped", async () => {
    const { inner, made } = innerCalls(unknown, false);
    expect(await inner.make(call, pending, () => "It was cancelled.")).toEqual({
      callId: "1",
      error: { code: "ABORTED", message: "It was cancelled." },
    });
    expect(made).toEqual([]);
  });

  it("counts for the program that led to this one: 1,000 in sum", async () => {
    const outer = innerCalls(unknown, false);
    const inner = innerCalls(unknown, false, outer.inner);
    for (let count = 0; count < 500; count++) {
      await outer.inner.make(call, pending, goesOn);
      await inner.inner.make(call, pending, goesOn);
    }
    for (const one of [outer, inner]) {
      expect(await one.inner.make(call, pending, goesOn)).toMatchObject({ error: { code: "RATE_LIMITED" } });
      expect(one.made).toHaveLength(500);
    }
  });
});
