import type { Progress, ToolResult } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { createLocalCalls, type Invoke } from "../../../src/rack/calls/local-calls.ts";

const resultOf = (callId: string): ToolResult => ({ ok: true, content: "done", meta: { callId, tool: "t", durationMs: 0 } });

/** A call that tells progress and ends when the test says so. */
function steered(): { readonly invoke: Invoke; tell(update: Progress): void; end(): void } {
  let tell: (update: Progress) => void = () => undefined;
  let end: () => void = () => undefined;
  return {
    invoke: (_tool, _input, { callId, onProgress }) => {
      tell = onProgress!;
      return new Promise((resolve) => (end = () => resolve(resultOf(callId))));
    },
    tell: (update) => tell(update),
    end: () => end(),
  };
}

async function collect(updates: AsyncIterable<Progress>): Promise<(number | undefined)[]> {
  const seen: (number | undefined)[] = [];
  for await (const { progress } of updates) seen.push(progress);
  return seen;
}

describe("calls on their way", () => {
  it("tell everybody who listens all of their progress, also those who come late, until they end", async () => {
    const { invoke, tell, end } = steered();
    const call = createLocalCalls(invoke, () => undefined).start("t", {}, {});
    const early = collect(call.progress());
    tell({ progress: 1 });
    tell({ progress: 2 });
    const late = collect(call.progress());
    await Promise.resolve();
    tell({ progress: 3 });
    end();
    expect(await early).toEqual([1, 2, 3]);
    expect(await late).toEqual([1, 2, 3]);
    expect(await collect(call.progress())).toEqual([1, 2, 3]);
  });

  it("keep the latest of endless progress, in order", async () => {
    const { invoke, tell, end } = steered();
    const call = createLocalCalls(invoke, () => undefined).start("t", {}, {});
    for (let progress = 0; progress < 10_000; progress++) tell({ progress });
    end();
    const seen = await collect(call.progress());
    expect(seen).toHaveLength(200);
    expect([seen[0], seen.at(-1)]).toEqual([9_800, 9_999]);
  });

  it("let a listener go that was told to stop", async () => {
    const { invoke, tell, end } = steered();
    const call = createLocalCalls(invoke, () => undefined).start("t", {}, {});
    const controller = new AbortController();
    const listening = collect(call.progress({ signal: controller.signal }));
    tell({ progress: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(await listening).toEqual([1]);
    end();
  });

  it("are known from their start to their end, and two of one name do not take each other away", async () => {
    const ends: (() => void)[] = [];
    const ended: string[] = [];
    const invoke: Invoke = (_tool, _input, { callId }) => new Promise((resolve) => ends.push(() => resolve(resultOf(callId))));
    const calls = createLocalCalls(invoke, (callId) => ended.push(callId));
    const first = calls.start("t", {}, { callId: "same" });
    const second = calls.start("t", {}, { callId: "same" });
    ends[0]!();
    await first.result;
    await Promise.resolve();
    expect(calls.get("same")).toBe(second);
    ends[1]!();
    await second.result;
    await Promise.resolve();
    expect(calls.list()).toEqual([]);
    expect(ended).toEqual(["same", "same"]);
    expect(calls.endedLately("same")).toBe(true);
    expect(calls.start("t", {}, {}).callId).not.toBe(calls.start("t", {}, {}).callId);
    for (const end of ends) end();
  });

  it("end, or are cancelled when the time for that is over", async () => {
    const invoke: Invoke = (_tool, _input, { callId, signal }) =>
      new Promise((resolve) => signal!.addEventListener("abort", () => resolve(resultOf(callId))));
    const calls = createLocalCalls(invoke, () => undefined);
    const call = calls.start("t", {}, {});
    await calls.drain(5);
    expect(await call.result).toMatchObject({ ok: true });
    expect(calls.list()).toEqual([]);
  });
});
