import { expect } from "vitest";
import type { Engine, Writes } from "../../src/engine/engine.ts";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { createSqliteEngine } from "../../src/engines/sqlite/sqlite.ts";

/** Engines that a test may open as often as it likes, empty each time. */
export const cheapEngines: readonly (readonly [name: string, open: () => Promise<Engine>])[] = [
  ["memory", async () => createMemoryEngine()],
  ["SQLite", () => createSqliteEngine({ path: ":memory:" })],
];

/** Runs the work in a transaction and takes everything back afterwards, so that the next test finds the engine as it was. */
export async function undone(engine: Engine, work: (tx: Writes) => Promise<void>): Promise<void> {
  const back = new Error("taken back");
  const done = engine.writeAudit(async (tx) => {
    await work(tx);
    throw back;
  });
  await expect(done).rejects.toBe(back);
}
