import { type InvokeOptions, type Progress, ToolError } from "@toolrack/core";
import { describe, expect, it, vi } from "vitest";
import { mcpClient } from "../../../src/serve/client/client.ts";
import { runTool } from "../../../src/serve/calls/run-tool.ts";

interface Played {
  readonly results?: readonly object[];
  readonly meta?: unknown;
  readonly exchange?: object;
  readonly served?: object;
  readonly tool?: object;
  readonly callId?: string;
}

const done = { ok: true, content: "done" };
const asksFor = (digest: string): object => ({ ok: false, code: "APPROVAL_REQUIRED", approval: { tool: "refund", digest } });

/** Runs a tool of a registry that answers these, the last one again and again. */
async function play({ results = [done], meta, exchange = {}, served: more = {}, tool, callId }: Played = {}) {
  const invoked: InvokeOptions[] = [];
  const told: unknown[] = [];
  const { signal } = new AbortController();
  const served = {
    exchange: {
      params: meta === undefined ? {} : { _meta: meta },
      signal,
      caller: { agent: "ada" },
      capabilities: {},
      notify: (...said: unknown[]) => told.push(said),
      ...exchange,
    },
    answers: {},
    used: ["before"] as readonly string[],
    missing: undefined,
    refusal: undefined,
    inputs: vi.fn(async (requests: object) => Object.fromEntries(Object.keys(requests).map((key) => [key, { action: "accept" }]))),
    ...more,
  };
  const left = [...results];
  const registry = {
    async invoke(name: string, input: object, options: InvokeOptions) {
      expect([name, input]).toEqual(["refund", { a: 1 }]);
      invoked.push({ ...options, ...(options.approval && { approval: [...(options.approval as [])] }) });
      return left.length > 1 ? left.shift() : left[0];
    },
  };
  const result = await runTool(registry as never, served as never, "refund", { a: 1 }, tool as never, callId);
  return { result, invoked, told, served, signal };
}

describe("the call of a tool for a client", () => {
  it("is made for its caller, who leads to the client, with its signal and nothing else", async () => {
    const { invoked, served, signal, result } = await play();
    expect(result).toBe(done);
    expect(invoked).toHaveLength(1);
    expect(Object.keys(invoked[0]!)).toEqual(["caller", "signal"]);
    expect(invoked[0]!.signal).toBe(signal);
    expect(invoked[0]!.caller).toMatchObject({ agent: "ada" });
    expect(mcpClient({ caller: invoked[0]!.caller! })).toBe(served);
    expect(Object.keys((await play({ meta: {} })).invoked[0]!)).toEqual(["caller", "signal"]);
  });

  it("belongs to the trace of its request, and of whoever took that in", async () => {
    const traceOf = async (meta: unknown, trace?: object): Promise<unknown> =>
      (await play({ meta, exchange: { trace } })).invoked[0]!.trace;
    expect(await traceOf(undefined, { a: 1 })).toEqual({ a: 1 });
    expect(await traceOf("none", { a: 1 })).toEqual({ a: 1 });
    expect(await traceOf({}, { a: 1 })).toEqual({ a: 1 });
    expect(await traceOf({ traceparent: 7, tracestate: "s" })).toBeUndefined();
    expect(await traceOf({ traceparent: "t", tracestate: 7, baggage: 7 })).toEqual({ traceparent: "t" });
    expect(await traceOf({ traceparent: "t", tracestate: "s", baggage: "b" })).toEqual({ traceparent: "t", tracestate: "s", baggage: "b" });
    expect(await traceOf({ traceparent: "t", tracestate: "s" }, { traceparent: "u", own: 1 })).toEqual({
      traceparent: "u",
      tracestate: "s",
      own: 1,
    });
  });

  it("tells its progress, where that is wanted, in numbers that grow", async () => {
    const { invoked, told } = await play({ meta: { progressToken: 0 } });
    const tell = invoked[0]!.onProgress as (update: Partial<Progress>) => void;
    for (const update of [{}, { message: "one" }, { progress: 1 }, { progress: 5, total: 9 }, { progress: 4 }, {}]) tell(update);
    expect(told).toEqual(
      [{ progress: 0 }, { progress: 1, message: "one" }, { progress: 5, total: 9 }, { progress: 6 }].map((fields) => [
        "notifications/progress",
        { progressToken: 0, ...fields },
      ]),
    );
    expect((await play({ meta: { traceparent: "t" } })).invoked[0]).not.toHaveProperty("onProgress");
  });

  it("is delivered whole to a client that divides it itself", async () => {
    const tool = { metadata: { deliver: "user" } };
    const capabilities = { extensions: { "toolrack/audience": {} } };
    expect((await play({ tool })).invoked[0]).not.toHaveProperty("deliver");
    expect((await play({ tool, exchange: { capabilities } })).invoked[0]!.deliver).toBe("model");
    expect((await play({ exchange: { capabilities } })).invoked[0]).not.toHaveProperty("deliver");
  });
});

describe("a call that somebody has to agree to", () => {
  it("is asked for, and made again with the answer; its id is that of the first", async () => {
    const { result, invoked, served } = await play({ results: [asksFor("d1"), done], callId: "c1" });
    expect(result).toBe(done);
    const request = { method: "elicitation/create", params: expect.objectContaining({ message: expect.stringContaining("refund") }) };
    expect(served.inputs.mock.calls).toEqual([[{ "approval:d1": request }]]);
    expect(invoked.map(({ callId, approval }) => [callId, approval])).toEqual([
      ["c1", undefined],
      [undefined, [{ digest: "d1", answer: { action: "accept" } }]],
    ]);
  });

  it("may need more than one answer, and never the same one twice", async () => {
    const { result, invoked, served } = await play({ results: [asksFor("d1"), asksFor("d2"), asksFor("d1")] });
    expect(result).toEqual(asksFor("d1"));
    expect(served.inputs.mock.calls.map(([requests]) => Object.keys(requests))).toEqual([["approval:d1"], ["approval:d2"]]);
    expect(invoked).toHaveLength(3);
    expect((invoked[2]!.approval as readonly { digest: string }[]).map(({ digest }) => digest)).toEqual(["d1", "d2"]);
  });

  it("may bring the answer along, which is then not asked for", async () => {
    const answers = { "approval:d1": { action: "accept", content: { scope: "once" } }, other: { action: "accept" } };
    const known = [{ digest: "d1", answer: { action: "accept", value: { scope: "once" } } }];
    const { invoked, served } = await play({ served: { answers } });
    expect([invoked.map(({ approval }) => approval), served.used, served.inputs.mock.calls]).toEqual([
      [known],
      ["before", "approval:d1"],
      [],
    ]);
    const again = await play({ results: [asksFor("d1"), done], served: { answers } });
    expect([again.result, again.served.inputs.mock.calls.length, again.invoked.length]).toEqual([done, 0, 2]);
  });

  it.each([
    ["the client cannot be asked", { inputs: () => Promise.reject(new ToolError("ANSWER_UNAVAILABLE", "No.")) }],
    ["there is no answer yet", { inputs: async () => ({}) }],
    ["other questions wait", { missing: {} }],
    ["the call was refused", { refusal: new Error("No.") }],
  ])("stays as it is where %s", async (_why, served) => {
    const { result, invoked } = await play({ results: [asksFor("d1"), done], served });
    expect([result, invoked.length]).toEqual([asksFor("d1"), 1]);
  });

  it("fails where asking fails", async () => {
    await expect(play({ results: [asksFor("d1")], served: { inputs: () => Promise.reject(new Error("broken")) } })).rejects.toThrow(
      "broken",
    );
  });

  it("is not asked for where it failed otherwise, or where nothing says what for", async () => {
    for (const result of [
      { ok: false, code: "TOOL_FAILED", approval: { tool: "refund", digest: "d1" } },
      { ok: false, code: "APPROVAL_REQUIRED" },
    ]) {
      const played = await play({ results: [result, done] });
      expect([played.result, played.served.inputs.mock.calls.length]).toEqual([result, 0]);
      const later = await play({ results: [asksFor("d0"), result, done] });
      expect([later.result, later.served.inputs.mock.calls.length]).toEqual([result, 1]);
    }
  });
});
