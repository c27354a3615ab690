import { setMaxListeners } from "node:events";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { createMemoryEngine } from "../src/engines/memory/memory.ts";
import { createStore } from "../src/store/create-store.ts";
import type { BreadcrumbStore } from "../src/store/store.ts";
import { note, written } from "../src/testing/contract/_samples.ts";

/** A store that counts how often changes are read from its engine. */
function openCounting(): { readonly store: BreadcrumbStore; readonly reads: () => number } {
  const engine = createMemoryEngine();
  let reads = 0;
  const changesAfter: typeof engine.changesAfter = (...args) => {
    reads += 1;
    return engine.changesAfter(...args);
  };
  const store = createStore({ ...engine, changesAfter });
  afterThisTest(() => store.close());
  return { store, reads: () => reads };
}

interface Stream {
  readonly seen: readonly number[];
}

function openStreams(store: BreadcrumbStore, count: number, since?: number): readonly Stream[] {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  afterThisTest(async () => controller.abort());
  return Array.from({ length: count }, () => {
    const seen: number[] = [];
    void (async () => {
      const options = { signal: controller.signal, ...(since !== undefined && { since }) };
      for await (const { sequence } of store.changes(options)) seen.push(sequence);
    })();
    return { seen };
  });
}

describe("streams of changes", () => {
  it.each([1, 10, 1_000])("read once for each change that is written, however many there are: %i", async (count) => {
    const { store, reads } = openCounting();
    written(await store.put(note("first")));
    const streams = openStreams(store, count, 1);
    written(await store.put(note("second")));
    await expect.poll(() => streams.every(({ seen }) => seen.length === 1)).toBe(true);
    const before = reads();
    for (let index = 0; index < 20; index++) {
      written(await store.put(note(`n${index}`)));
      await expect.poll(() => streams.every(({ seen }) => seen.length === index + 2)).toBe(true);
    }
    expect(reads() - before).toBeLessThanOrEqual(2 * 20);
    for (const { seen } of streams) expect(seen).toEqual(Array.from({ length: 21 }, (_, index) => index + 2));
  });

  it("get everything that they are behind, without waiting for another change", async () => {
    const { store } = openCounting();
    for (let index = 0; index < 1_250; index++) written(await store.put(note(`a${index}`)));
    const streams = openStreams(store, 3, 0);
    await expect.poll(() => streams.map(({ seen }) => seen.length)).toEqual([1_250, 1_250, 1_250]);
  });

  it("miss and repeat nothing, wherever each begins, while others write", async () => {
    const { store } = openCounting();
    for (let index = 0; index < 450; index++) written(await store.put(note(`a${index}`)));
    const begins = [0, 1, 99, 100, 250, 449, 450];
    const streams = begins.map((since) => openStreams(store, 2, since));
    await Promise.all(Array.from({ length: 300 }, async (_, index) => void written(await store.put(note(`b${index}`)))));
    for (const [index, since] of begins.entries())
      for (const { seen } of streams[index]!) {
        await expect.poll(() => seen.at(-1)).toBe(750);
        expect(seen).toEqual(Array.from({ length: 750 - since }, (_, place) => since + place + 1));
      }
  });
});
