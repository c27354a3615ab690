import { ToolError } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it, vi } from "vitest";
import { createCallUpstream } from "../../../src/upstream/calls/call.ts";
import { createQuestions } from "../../../src/upstream/calls/questions.ts";

const target = { name: "echo", inputSchema: { type: "object" } };
const lost = Object.assign(new Error("gone"), { data: { status: 404 } });
const asking = {
  resultType: "input_required",
  requestState: "s1",
  inputRequests: { one: { method: "elicitation/create", params: { message: "Name?" } } },
};

/** A server whose connections answer these, one after the other; what is thrown is thrown. */
function open(answers: readonly unknown[], { era = "legacy", context = {} }: { era?: string; context?: object } = {}) {
  const [sent, notes]: [Record<string, any>[], unknown[]] = [[], []];
  const left = [...answers];
  let connections = 0;
  const manager = {
    get: async () => ({
      number: ++connections,
      era,
      scrub: { error: (error: unknown) => error },
      async call(params: object, options: object) {
        sent.push({ ...params, options });
        const answer = left.shift();
        if (answer instanceof Error) throw answer;
        return typeof answer === "function" ? (answer as (options: object) => unknown)(options) : answer;
      },
    }),
    note: (_used: unknown, fault: ToolError | undefined) => void notes.push(fault?.code),
    drop: (used: { number: number }, reason: ToolError) => void notes.push(`drop ${used.number}: ${reason.message}`),
  };
  const observed: unknown[] = [];
  const call = createCallUpstream({
    server: "hand",
    manager: manager as never,
    questions: createQuestions("hand"),
    timeoutMs: 5_000,
    observe: ((_connection: unknown, request: unknown, send: () => unknown) => (observed.push(request), send())) as never,
  });
  const own = {
    signal: new AbortController().signal,
    callId: "c1",
    progress: () => undefined,
    ask: async () => ({ action: "accept", value: { name: "Ada" } }),
    ...context,
  };
  return { run: () => call(target, { text: "a" }, own as never), sent, notes, observed };
}

describe("a call to a server", () => {
  it("sends the server's own name, and notes that it was answered", async () => {
    const { run, sent, notes, observed } = open([{ content: [{ type: "text", text: "hi" }] }]);
    expect(await run()).toEqual([{ type: "text", text: "hi" }]);
    expect(sent).toMatchObject([
      { name: "echo", arguments: { text: "a" }, options: { timeoutMs: 5_000, inputSchema: target.inputSchema } },
    ]);
    expect(sent[0]).not.toHaveProperty("_meta");
    expect([notes, observed]).toEqual([[undefined], [{ method: "tools/call", tool: "echo", callId: "c1" }]]);
  });

  it("is made once more where a legacy server has lost the session, and not otherwise", async () => {
    const again = open([lost, { content: [] }]);
    expect(await again.run()).toBe("");
    expect(again.notes).toEqual(['drop 1: MCP server "hand" failed: gone', undefined]);
    const twice = open([lost, lost]);
    await expect(twice.run()).rejects.toMatchObject({ code: "SOURCE_FAILED" });
    expect(twice.notes).toEqual([expect.stringContaining("drop 1"), "SOURCE_FAILED"]);
    const modern = open([lost], { era: "modern" });
    await expect(modern.run()).rejects.toMatchObject({ code: "SOURCE_FAILED" });
    expect(modern.notes).toEqual(["SOURCE_FAILED"]);
    const other = open([new Error("broken")]);
    await expect(other.run()).rejects.toThrow('MCP server "hand" failed: broken');
    expect(other.notes).toEqual(["SOURCE_FAILED"]);
  });

  it("that was cancelled ends with the reason, and counts against the server only where time was over", async () => {
    for (const [name, notes] of [
      ["TimeoutError", ["TIMEOUT"]],
      ["AbortError", []],
    ] as const) {
      const controller = new AbortController();
      const reason = new DOMException("over", name);
      const { run, notes: told } = open(
        [() => (controller.abort(reason), Promise.reject(Object.assign(new Error("late"), { code: "REQUEST_TIMEOUT" })))],
        {
          context: { signal: controller.signal },
        },
      );
      await expect(run()).rejects.toBe(reason);
      expect(told).toEqual(notes);
    }
  });

  it("asks the person what the server asks, and goes on with the answer and the server's state", async () => {
    const { run, sent } = open([asking, { content: [] }]);
    expect(await run()).toBe("");
    expect(sent[1]).toMatchObject({ requestState: "s1", inputResponses: { one: { action: "accept", content: { name: "Ada" } } } });
  });

  it("ends with the reason where nobody can be asked, which is no fault of the server", async () => {
    const nobody = new ToolError("APPROVAL_REQUIRED", "Nobody is there.");
    const { run, notes, sent } = open([asking], { context: { ask: () => Promise.reject(nobody) } });
    await expect(run()).rejects.toBe(nobody);
    expect([notes, sent.length]).toEqual([[], 1]);
  });

  it("is not asked for what was not offered, nor for ever", async () => {
    const other = { ...asking, inputRequests: { one: { method: "sampling/createMessage" } } };
    await expect(open([other]).run()).rejects.toThrow('MCP server "hand" asked for "sampling/createMessage", which was not offered to it.');
    const endless = open(Array.from({ length: 20 }, () => asking));
    await expect(endless.run()).rejects.toThrow('MCP server "hand" asked more than 10 times during one call.');
    expect(endless.sent).toHaveLength(11);
  });

  it("hands on the first thousand updates of its progress", async () => {
    let updates = 0;
    const flood = ({ onProgress }: { onProgress: (update: object) => void }) => {
      for (let count = 0; count < 1_500; count++) onProgress({ progress: count });
      return { content: [] };
    };
    await open([flood], { context: { progress: () => void updates++ } }).run();
    expect(updates).toBe(1_000);
  });

  it("hands on its signal, and the trace that it belongs to", async () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const { signal } = new AbortController();
    const { run, sent } = open([{ content: [] }], { context: { signal, trace: { traceparent } } });
    await run();
    expect(sent[0]).toEqual({
      name: "echo",
      arguments: { text: "a" },
      _meta: expect.objectContaining({ traceparent: expect.stringContaining("0af7651916cd43dd8448eb211c80319c") }),
      options: { signal, timeoutMs: 5_000, inputSchema: target.inputSchema, onProgress: expect.any(Function) },
    });
  });

  it("that is only to be made again is made after a quarter of a second, unless it was given up", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    afterThisTest(() => vi.useRealTimers());
    const later = { resultType: "input_required", requestState: "s1" };
    const { run, sent } = open([later, { content: [] }]);
    const answered = run();
    await turns(3);
    await vi.advanceTimersByTimeAsync(249);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answered).toBe("");
    expect(sent[1]).toEqual({ name: "echo", arguments: { text: "a" }, requestState: "s1", options: expect.any(Object) });
    const controller = new AbortController();
    const given = open([later, { content: [] }], { context: { signal: controller.signal } });
    const ended = expect(given.run()).rejects.toThrow("Enough.");
    await turns(3);
    controller.abort(new Error("Enough."));
    await vi.advanceTimersByTimeAsync(250);
    await ended;
    expect(given.sent).toHaveLength(1);
  });
});
