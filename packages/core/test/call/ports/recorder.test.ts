import { describe, expect, it } from "vitest";
import { type CallRecord, createMemoryRecorder } from "../../../src/call/ports/recorder.ts";

const record = (callId: string): CallRecord => ({
  callId,
  tool: "echo",
  input: {},
  caller: {},
  startedAt: 0,
  result: { ok: true, content: "", meta: { callId, tool: "echo", durationMs: 0 } },
});

describe("createMemoryRecorder", () => {
  it("keeps the newest calls, the oldest first", () => {
    const recorder = createMemoryRecorder({ limit: 2 });
    for (const callId of ["a", "b", "c"]) void recorder.record(record(callId));
    expect(recorder.calls.map(({ callId }) => callId)).toEqual(["b", "c"]);
  });

  it("keeps a thousand where nothing is said", () => {
    const recorder = createMemoryRecorder();
    for (let index = 0; index < 1_500; index++) void recorder.record(record(String(index)));
    expect(recorder.calls).toHaveLength(1_000);
    expect(recorder.calls[0]!.callId).toBe("500");
  });
});
