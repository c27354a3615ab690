import { parseArgs } from "node:util";
import { bundleStore } from "../lib/bundle.mjs";
import { runRestarts } from "./lib/restarts.mjs";

// node bench/faults/restart.mjs [--rounds 30]: PostgreSQL restarted under load.
const { values } = parseArgs({ options: { rounds: { type: "string", default: "30" } } });
const modules = await bundleStore("restarts");
const { startPostgres } = await import(modules.postgres);
const server = await startPostgres({ fsync: true });
if (server.restart === undefined) throw new Error("DATABASE_URL names a server that is not ours to restart. Unset it.");
const target = { engine: "postgres", connectionString: server.connectionString, schema: `restarts_${Date.now().toString(36)}` };
const counts = await runRestarts({ storeModule: modules.store, target, restart: server.restart, rounds: Number(values.rounds) });
await server.stop();
console.log(JSON.stringify({ ...counts, unclear: counts.unclear.length, gaps: counts.gaps.length }));
if (counts.lost > 0 || counts.gaps.length > 0 || counts.unclear.length > 0) {
  console.error(counts.unclear.slice(0, 3), counts.gaps.slice(0, 5));
  process.exitCode = 1;
}
