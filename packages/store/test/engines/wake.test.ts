import { join } from "node:path";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import { addToAudit } from "../../src/audit/audit.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { createSqliteEngine } from "../../src/engines/sqlite/sqlite.ts";
import { createStore } from "../../src/store/create-store.ts";
import { note, written } from "../../src/testing/contract/_samples.ts";

/** The engine that is written to, and the one that listens: the same, or another on the same file. */
const pairs: [name: string, open: () => Promise<readonly [Engine, Engine]>][] = [
  [
    "memory",
    async () => {
      const engine = createMemoryEngine();
      return [engine, engine];
    },
  ],
  [
    "SQLite",
    async () => {
      const engine = await createSqliteEngine({ path: ":memory:" });
      return [engine, engine];
    },
  ],
  [
    "another connection of SQLite",
    async () => {
      const path = join(temporaryFolder(), "shared.db");
      return [await createSqliteEngine({ path }), await createSqliteEngine({ path })];
    },
  ],
];

describe.each(pairs)("those who wait for records: %s", (_, open) => {
  it("are woken by a record, and not by lines of the audit", async () => {
    const [here, there] = await open();
    const store = createStore(here);
    let woken = 0;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    afterThisTest(() => vi.useRealTimers());
    /** Time for every look at the file. */
    const look = (): unknown => vi.advanceTimersByTime(1_000);
    const stop = there.onWake(() => woken++);
    for (let index = 0; index < 3; index++) {
      await addToAudit(store, [{ kind: "note", subject: "s", body: index }]);
      look();
    }
    expect(woken).toBe(0);
    written(await store.put(note("a")));
    look();
    expect(woken).toBeGreaterThan(0);
    stop();
    await store.close();
    await there.close();
  });
});

describe("many feeds of one store", () => {
  it("end with it, and no warning is printed about their number", async () => {
    const warnings: string[] = [];
    // Vitest warns about itself when it repeats a test.
    const onWarning = ({ name, stack = "" }: Error): void => void (stack.includes("@vitest") || warnings.push(name));
    process.on("warning", onWarning);
    const store = createStore(createMemoryEngine());
    const seen: string[] = [];
    const feeds = Array.from({ length: 30 }, async () => {
      for await (const { record } of store.changes({ since: 0 })) seen.push(record.id);
    });
    written(await store.put(note("a")));
    await until(() => seen.length === 30);
    expect(new Set(seen)).toEqual(new Set(["a"]));
    await store.close();
    await Promise.all(feeds);
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });
});
