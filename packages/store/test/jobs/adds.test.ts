import { describe, expect, it } from "vitest";
import type { Engine, Writes } from "../../src/engine/engine.ts";
import type { JobRow } from "../../src/engine/jobs.ts";
import { createAddWriter } from "../../src/jobs/_adds.ts";

const rows = (name: string, count: number): readonly JobRow[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${name}${index}` }) as JobRow);

/** `written` has the ids of each transaction; one with an id of `wrong` fails. */
function createWriter(wrong: readonly string[] = []) {
  const written: (readonly string[])[] = [];
  let [open, most] = [0, 0];
  const engine = {
    async writeAudit(work: (tx: Writes) => unknown) {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      try {
        return await work({} as Writes);
      } finally {
        open -= 1;
      }
    },
  } as unknown as Engine;
  const writer = createAddWriter(engine, async (_tx, some) => {
    const ids = some.map(({ id }) => id);
    written.push(ids);
    for (const id of ids) if (wrong.includes(id)) throw new Error(`no ${id}`);
    return ids;
  });
  return { written, write: writer.write, mostAtOnce: () => most };
}

describe("jobs that are added", () => {
  it("at the same moment share a transaction, up to 64 of them, and each caller gets its own answers", async () => {
    const { written, write } = createWriter();
    const [a, b, c, d] = await Promise.all([write(rows("a", 30)), write(rows("b", 34)), write(rows("c", 1)), write(rows("d", 64))]);
    expect(written.map(({ length }) => length)).toEqual([64, 1, 64]);
    expect([a!.length, a![29], b!.length, b![0], b![33], c, d!.length]).toEqual([30, "a29", 34, "b0", "b33", ["c0"], 64]);
    await write(rows("e", 100));
    expect(written.at(-1)).toHaveLength(100);
  });

  it("fail alone: the others of their transaction are written each by itself, and a single one is not tried twice", async () => {
    const { written, write } = createWriter(["b0"]);
    const outcomes = await Promise.allSettled([write(rows("a", 1)), write(rows("b", 1)), write(rows("c", 2))]);
    expect(outcomes).toEqual([
      { status: "fulfilled", value: ["a0"] },
      { status: "rejected", reason: new Error("no b0") },
      { status: "fulfilled", value: ["c0", "c1"] },
    ]);
    expect(written).toEqual([["a0", "b0", "c0", "c1"], ["a0"], ["b0"], ["c0", "c1"]]);
    await expect(write(rows("b", 1))).rejects.toThrow("no b0");
    expect(written.slice(4)).toEqual([["b0"]]);
  });

  it("wait for those that are being written", async () => {
    const { written, write, mostAtOnce } = createWriter();
    const first = write(rows("a", 1));
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([first, write(rows("b", 1)), write(rows("c", 1))]);
    expect([written, mostAtOnce()]).toEqual([[["a0"], ["b0", "c0"]], 1]);
  });
});
