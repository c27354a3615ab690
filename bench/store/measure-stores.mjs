import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleStore } from "../faults/lib/bundle.mjs";
import { openStore } from "../faults/lib/open.mjs";
import { measureLogs } from "./measure-log.mjs";
import { fillStore, questions } from "./questions.mjs";

const targetMs = 10;
const times = 200;

/** A table for each engine: p50 and p95 of wall time, one question after the other; and one of what the call log costs. */
export async function measureStores(count, engine) {
  const modules = await bundleStore("bench");
  const folder = mkdtempSync(join(tmpdir(), "toolrack-bench-"));
  const tables = [];
  try {
    if (engine !== "postgres")
      tables.push(await measureStore("SQLite", modules.store, { engine: "sqlite", path: join(folder, "store.db") }, count));
    if (engine !== "sqlite") {
      const { startPostgres } = await import(modules.postgres);
      const server = await startPostgres();
      const target = { engine: "postgres", connectionString: server.connectionString, schema: `bench_${Date.now().toString(36)}` };
      try {
        tables.push(await measureStore("PostgreSQL", modules.store, target, count));
        tables.push(await measureLogs(modules, { engine, server }));
      } finally {
        await server.stop();
      }
    } else tables.push(await measureLogs(modules, { engine }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return tables;
}

async function measureStore(name, storeModule, target, count) {
  const filling = await openStore(storeModule, target);
  const filledMs = await timed(() => fillStore(filling, count));
  await filling.close();
  const openedAt = performance.now();
  const store = await openStore(storeModule, target);
  const openMs = performance.now() - openedAt;
  const rows = [row("open the filled store", [openMs], 100)];
  for (const [question, ask] of Object.entries(questions(store, count))) {
    const samples = [];
    for (let index = -20; index < times; index++) {
      const ms = await timed(() => ask(Math.abs(index)));
      if (index >= 0) samples.push(ms);
    }
    rows.push(row(question, samples, targetMs));
  }
  await store.close();
  return {
    caption: `${name}, ${count} definitions, written in ${(filledMs / 1_000).toFixed(0)} s`,
    columns: ["what", "p50", "p95", "target", "verdict"],
    rows,
  };
}

function row(name, samples, target) {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return [name, `${at(0.5).toFixed(2)} ms`, `${at(0.95).toFixed(2)} ms`, `< ${target} ms`, at(0.95) < target ? "ok" : "over"];
}

async function timed(run) {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
