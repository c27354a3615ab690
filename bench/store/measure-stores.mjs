import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleStore } from "../lib/bundle.mjs";
import { openStore } from "../faults/lib/open.mjs";
import { measureLogs } from "./measure-log.mjs";
import { fillStore, questions } from "./questions.mjs";

const targetMs = 10;
const times = 100;
/** Everything is asked in so many rounds; the best one counts, since other work on the machine only adds. */
const rounds = 5;

/** A table for each engine: p50 and p95 of wall time, one question after the other; and one of what the call log costs. */
export async function measureStores(count, engine) {
  const modules = await bundleStore("bench");
  const folder = mkdtempSync(join(tmpdir(), "toolrack-bench-"));
  const tables = [];
  const server = engine === "sqlite" ? undefined : await (await import(modules.postgres)).startPostgres();
  try {
    // First, as long as the process is small.
    const logs = await measureLogs(modules, { engine, server });
    if (engine !== "postgres")
      tables.push(await measureStore("SQLite", modules.store, { engine: "sqlite", path: join(folder, "store.db") }, count));
    if (server !== undefined) {
      const target = { engine: "postgres", connectionString: server.connectionString, schema: `bench_${Date.now().toString(36)}` };
      tables.push(await measureStore("PostgreSQL", modules.store, target, count));
    }
    tables.push(logs);
  } finally {
    await server?.stop();
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
  const best = new Map();
  for (let round = 0; round < rounds; round++) {
    for (const [question, ask] of Object.entries(questions(store, count))) {
      const samples = [];
      for (let index = -20; index < times; index++) {
        const ms = await timed(() => ask(Math.abs(index) + round * times));
        if (index >= 0) samples.push(ms);
      }
      const known = best.get(question);
      if (known === undefined || percentile(samples, 0.95) < percentile(known, 0.95)) best.set(question, samples);
    }
  }
  const rows = [row("open the filled store", [openMs], 100), ...[...best].map(([question, samples]) => row(question, samples, targetMs))];
  await store.close();
  return {
    caption: `${name}, ${count} definitions, written in ${(filledMs / 1_000).toFixed(0)} s`,
    columns: ["what", "p50", "p95", "target", "verdict"],
    rows,
  };
}

function row(name, samples, target) {
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(samples, share));
  return [name, `${p50.toFixed(2)} ms`, `${p95.toFixed(2)} ms`, `< ${target} ms`, p95 < target ? "ok" : "over"];
}

function percentile(samples, share) {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

async function timed(run) {
  const started = performance.now();
  await run();
  return performance.now() - started;
}
