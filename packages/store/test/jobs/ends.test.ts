import { createFakeClock } from "@toolrack/core/testing";
import { describe, expect, it } from "vitest";
import type { Engine, Writes } from "../../src/engine/engine.ts";
import { createEndWriter, type JobEnd } from "../../src/jobs/_ends.ts";

describe("the ends of jobs", () => {
  it("are stored although one that came with them cannot be, and that one once it can", async () => {
    const clock = createFakeClock(0);
    const stored: string[] = [];
    const wrong = new Set(["poison"]);
    let failures = 0;
    const tx = {
      async changeJobs(_owner: string, [id]: readonly string[]) {
        if (wrong.has(id!)) throw new Error("This end cannot be stored.");
        return [{ id }];
      },
    } as unknown as Writes;
    const engine = { writeAudit: (work: (tx: Writes) => unknown) => work(tx) } as unknown as Engine;
    const writer = createEndWriter({
      engine,
      clock,
      owner: "main",
      tell: (_type, { id }) => void stored.push(id),
      onStoreFailed: () => void failures++,
    });
    const write = (id: string): Promise<void> =>
      writer.write(
        () => ({ id, type: "done", marks: {}, expected: {} }) as unknown as JobEnd,
        () => false,
      );
    const poison = write("poison");
    await Promise.all([write("first"), write("second")]);
    await write("later");
    expect(stored).toEqual(["first", "second", "later"]);
    expect(failures).toBeGreaterThan(0);
    wrong.clear();
    await clock.advance(5_000);
    await poison;
    expect(stored.at(-1)).toBe("poison");
  });
});
