import type { ToolResult } from "@toolrack/core";
import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it } from "vitest";
import { createSharedCalls } from "../../../src/rack/calls/shared-calls.ts";

type Options = Parameters<typeof createSharedCalls>[0];

const result: ToolResult = { ok: true, content: "done", meta: { callId: "c", tool: "t", durationMs: 1 } };
const stored = { callId: "c", tool: "t", caller: {}, input: {}, ok: true, output: "done", durationMs: 1, at: 0, startedAt: 0 };

function open(local: Partial<Options["local"]>, show: () => Promise<unknown>): ReturnType<typeof createSharedCalls> {
  const wishes = { subscribe: () => () => {}, get: () => undefined, write: async () => {} };
  return createSharedCalls({
    feed: { of: () => wishes },
    local: { get: () => undefined, list: () => [], endedLately: () => false, ...local },
    calls: { show, running: async () => [], open: () => [] },
    ownName: () => "here",
    log: { error() {} },
    asking: async () => [],
  } as unknown as Options);
}

describe("whoever waits for a call", () => {
  // row: F21
  it("has the result of a call on this server as soon as it is there, without a timer in between", async () => {
    let end!: (value: ToolResult) => void;
    const here = { result: new Promise<ToolResult>((resolve) => (end = resolve)), caller: {} };
    const calls = open({ get: () => here as never }, async () => undefined);
    let answer: ToolResult | undefined;
    void calls.waitFor("c").then((value) => (answer = value));
    await turns();
    expect(answer).toBeUndefined();
    end(result);
    await turns();
    expect(answer).toBe(result);
  });

  it("has the result of a call elsewhere as soon as its end is told", async () => {
    let isOver = false;
    const calls = open({}, async () => (isOver ? stored : undefined));
    let answer: ToolResult | undefined;
    void calls.waitFor("c").then((value) => (answer = value));
    await turns();
    expect(answer).toBeUndefined();
    isOver = true;
    calls.onEnd("c");
    await turns();
    expect(answer).toMatchObject({ ok: true });
  });

  it("is told of the time limit, and of leaving, and is forgotten then", async () => {
    const calls = open({}, async () => undefined);
    await expect(calls.waitFor("c", { timeoutMs: 1 })).rejects.toThrow("did not end within 1 ms");
    await expect(calls.waitFor("c", { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
  });
});
