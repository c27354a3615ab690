import { setImmediate as nextTurn } from "node:timers/promises";
import { createFakeClock } from "@toolrack/core/testing";
import type { ToolSource } from "@toolrack/core";
import { expect, it } from "vitest";
import { createFirstReads } from "../../../src/rack/sources/first-reads.ts";

const signal = new AbortController().signal;

/** Sources whose lists end when the test says so. */
function slowSources(count: number): { readonly sources: readonly ToolSource[]; readonly open: (() => void)[] } {
  const open: (() => void)[] = [];
  const sources = Array.from({ length: count }, (_, index) => ({
    id: `slow-${index}`,
    list: () => new Promise<[]>((resolve) => open.push(() => resolve([]))),
  }));
  return { sources, open };
}

it("connects eight sources at a time, and the next one when one of them has ended", async () => {
  const reads = createFirstReads(createFakeClock());
  const { sources, open } = slowSources(35);
  for (const source of sources) void reads.inTurn(source).list({ signal });
  await nextTurn();
  expect(open).toHaveLength(8);
  for (let ended = 0; ended < 35; ended++) {
    open[ended]!();
    await nextTurn();
    expect(open).toHaveLength(Math.min(35, 9 + ended));
  }
});

it("gives the turn of a source that failed, or was removed meanwhile, to the next one", async () => {
  const reads = createFirstReads(createFakeClock());
  const failing = { id: "failing", list: () => Promise.reject(new Error("away")) };
  const removed = new AbortController();
  removed.abort();
  for (let count = 0; count < 8; count++) {
    await expect(reads.inTurn(failing).list({ signal })).rejects.toThrow("away");
    await expect(async () => reads.inTurn(failing).list({ signal: removed.signal })).rejects.toThrow(/abort/i);
  }
  expect(await reads.inTurn({ id: "fine", list: () => [] }).list({ signal })).toEqual([]);
});

it("lets others wait until all have been read, and ten seconds for one that hangs", async () => {
  const clock = createFakeClock();
  const reads = createFirstReads(clock);
  expect(reads.gathered()).toBeUndefined();
  let isOver = false;
  let end = (): void => undefined;
  reads.follow(new Promise<void>((resolve) => (end = resolve)));
  reads.follow(new Promise(() => undefined));
  void reads.gathered()!.then(() => (isOver = true));
  end();
  await clock.advance(9_000);
  expect(isOver).toBe(false);
  await clock.advance(1_000);
  expect(isOver).toBe(true);
  expect(reads.gathered()).toBeUndefined();
  expect(clock.pending).toBe(0);
});
