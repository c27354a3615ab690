import { describe, expect, it } from "vitest";
import type { LogPage } from "../../src/engine/log.ts";
import { createTurns } from "../../src/queue/turns.ts";
import { createPageWriter } from "../../src/engines/sqlite/page-writer.ts";

const page: LogPage = { lines: [], key: undefined, owner: "o", removed: [], saved: [] };

describe("the writer of pages", () => {
  it("goes on here where a thread cannot be had, and asks for one once", async () => {
    const told: string[] = [];
    const writer = await createPageWriter({
      pagesBeforeThread: 2,
      turns: createTurns(),
      async startThread() {
        told.push("start");
        throw new Error("no threads on this machine");
      },
      writeHere: async () => void told.push("here"),
    });
    for (let count = 0; count < 4; count++) await writer.write(page);
    expect(told).toEqual(["here", "start", "here", "here", "here"]);
    expect(writer.pagesAtOnce).toBe(1);
    await writer.close();
  });

  it("goes on here when the thread is no longer there", async () => {
    const told: string[] = [];
    let end = (): void => {};
    const writer = await createPageWriter({
      pagesBeforeThread: 0,
      turns: createTurns(),
      async startThread(onEnd) {
        end = onEnd;
        return { write: async () => void told.push("thread"), close: async () => void told.push("closed") };
      },
      writeHere: async () => void told.push("here"),
    });
    await writer.write(page);
    expect(writer.pagesAtOnce).toBeGreaterThan(1);
    end();
    await writer.write(page);
    await writer.close();
    expect(told).toEqual(["thread", "here"]);
    expect(writer.pagesAtOnce).toBe(1);
  });
});
