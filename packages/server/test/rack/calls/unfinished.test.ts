import { type CallStart, type ErrorCode, errorCodes } from "@toolrack/core";
import { createCallLog, createMemoryStore } from "@toolrack/store";
import { describe, expect, it } from "vitest";
import { settleUnfinished } from "../../../src/rack/calls/unfinished.ts";

describe("what came of a call whose server is gone", () => {
  const start = (callId: string, tool = "pay"): CallStart => ({ callId, tool, input: {}, caller: {}, startedAt: 5 });
  const failed = (callId: string, code: ErrorCode, retryable: boolean) => {
    const meta = { callId, tool: "pay", durationMs: 1 };
    return { ...start(callId), result: { ok: false, error: "No.", code, status: errorCodes[code].status, retryable, meta } } as const;
  };

  it("OP2: is its end where the log has it, may be found out anew where nothing was done, and is else not known", async () => {
    const store = createMemoryStore();
    const [gone, calls] = [createCallLog(store, { server: "gone" }), createCallLog(store, { server: "here" })];
    const toolOf = (name: string) => ({ metadata: { annotations: { readOnly: name === "look", idempotent: name === "put" } } });
    const settle = (callId: string, tool = "pay") => settleUnfinished({ callId, tool, server: "gone" }, { calls, toolOf });
    await gone.begin!(start("done"));
    await gone.record({ ...start("done"), result: { ok: true, content: "paid", meta: { callId: "done", tool: "pay", durationMs: 1 } } });
    await gone.begin!(start("failed"));
    await gone.record(failed("failed", "TOOL_FAILED", true));
    await gone.record(failed("refused", "RATE_LIMITED", true));
    await gone.record(failed("asked", "ABORTED", true));
    await gone.begin!(start("cancelled"));
    await gone.record(failed("cancelled", "ABORTED", false));
    for (const tool of ["pay", "look", "put"]) await gone.begin!(start(tool, tool));

    expect(await settle("done")).toMatchObject({ result: { ok: true, content: "paid", meta: { callId: "done" } } });
    expect(await settle("failed")).toMatchObject({ result: { ok: false, code: "TOOL_FAILED" } });
    expect(await settle("cancelled")).toMatchObject({ result: { ok: false, code: "ABORTED" } });
    for (const callId of ["never began", "refused", "asked"]) expect(await settle(callId)).toBe("again");
    expect(await settle("pay")).toBe("unknown");
    expect([await settle("look", "look"), await settle("put", "put")]).toEqual(["again", "again"]);
    expect(await calls.running()).toEqual([]);
  });

  it("OP2: is not known where calls may run unrecorded and the log has none, unless its tool may run again", async () => {
    const calls = createCallLog(createMemoryStore(), { server: "here" });
    const toolOf = (name: string) => ({ metadata: { annotations: { readOnly: name === "look" } } });
    const settle = (tool: string) => settleUnfinished({ callId: "c", tool, server: "gone" }, { calls, toolOf, mayRunUnrecorded: true });
    expect([await settle("pay"), await settle("look")]).toEqual(["unknown", "again"]);
  });
});
