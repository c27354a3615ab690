import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleStore } from "../lib/bundle.mjs";
import { isClean, runKills } from "./lib/kills.mjs";

// node bench/faults/kill.mjs [--rounds 200] [--engine sqlite|postgres]: without --engine both.
const { values } = parseArgs({ options: { rounds: { type: "string", default: "200" }, engine: { type: "string" } } });
const rounds = Number(values.rounds);
const modules = await bundleStore("faults");
const folder = mkdtempSync(join(tmpdir(), "toolrack-faults-"));

try {
  if (values.engine !== "postgres") {
    await run("sqlite", { engine: "sqlite", path: join(folder, "store.db"), pagesBeforeThread: Number.MAX_SAFE_INTEGER });
    await run("sqlite, the log in a thread", { engine: "sqlite", path: join(folder, "thread.db"), pagesBeforeThread: 0 });
  }
  if (values.engine !== "sqlite") {
    const { startPostgres } = await import(modules.postgres);
    const server = await startPostgres({ fsync: true });
    const target = { engine: "postgres", connectionString: server.connectionString, schema: `faults_${Date.now().toString(36)}` };
    await run("postgres", target, server.restart && (() => server.restart("SIGKILL")));
    await server.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run(name, target, restart) {
  const started = performance.now();
  const counts = await runKills({
    storeModule: modules.store,
    target,
    rounds,
    restart,
    onRound: ({ rounds: done }) => process.stderr.write(`\r${name}: ${done} of ${rounds} `),
  });
  process.stderr.write("\n");
  const { lost, torn, gaps, ...numbers } = counts;
  console.log(
    `${name} ${JSON.stringify({ ...numbers, lost: lost.length, torn: torn.length, gaps: gaps.length, seconds: Math.round((performance.now() - started) / 1_000) })}`,
  );
  if (!isClean(counts)) {
    console.error(`${name}: not clean`, { lost: lost.slice(0, 5), torn: torn.slice(0, 5), gaps: gaps.slice(0, 5) });
    process.exitCode = 1;
  }
}
