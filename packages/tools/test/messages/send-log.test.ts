import { describe, expect, it } from "vitest";
import { createMemorySendLog } from "../../src/messages/send-log.ts";

describe("what is remembered of messages", () => {
  const entry = { key: "k", caller: "c", request: { a: 1 } };

  it("makes each once, for each caller and key", async () => {
    const log = createMemorySendLog();
    let made = 0;
    const make = async (): Promise<number> => ++made;
    expect(await log.once(entry, make)).toEqual({ outcome: "made", value: 1, isFirst: true });
    expect(await log.once(entry, make)).toEqual({ outcome: "made", value: 1, isFirst: false });
    expect(await log.once({ ...entry, request: { a: 2 } }, make)).toEqual({ outcome: "different" });
    expect(await log.once({ ...entry, caller: "d" }, make)).toEqual({ outcome: "made", value: 2, isFirst: true });
    expect(await log.once({ ...entry, key: "l" }, make)).toEqual({ outcome: "made", value: 3, isFirst: true });
  });

  it("frees the key of what failed, and forgets the oldest of too many", async () => {
    const log = createMemorySendLog(2);
    const failure = new Error("no");
    await expect(log.once(entry, () => Promise.reject(failure))).rejects.toBe(failure);
    let made = 0;
    const make = async (): Promise<number> => ++made;
    for (const key of ["k", "l", "m"]) await log.once({ ...entry, key }, make);
    expect(await log.once({ ...entry, key: "l" }, make)).toMatchObject({ value: 2, isFirst: false });
    expect(await log.once({ ...entry, key: "k" }, make)).toMatchObject({ value: 4, isFirst: true });
  });
});
