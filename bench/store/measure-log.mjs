import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../faults/lib/open.mjs";

const callers = 64;
const calls = 6_400;
/** The best one counts, since other work on the machine only adds, and the first ones are not compiled yet. */
const rounds = 6;

/** What keeping a log costs a call: many callers at the same time, one tool that answers at once. */
export async function measureLogs(modules, { engine, server } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-bench-"));
  const rows = [];
  try {
    await measureLog("memory", { engine: "memory" }, modules, rows);
    if (engine !== "postgres") await measureLog("SQLite", { engine: "sqlite", path: join(folder, "log.db") }, modules, rows);
    if (server !== undefined) {
      const target = { engine: "postgres", connectionString: server.connectionString, schema: `log_${Date.now().toString(36)}` };
      await measureLog("PostgreSQL", target, modules, rows);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    caption: `The call log: ${callers} callers at once, CPU time of this process and wall time for each call`,
    columns: ["what", "CPU", "wall", "calls/s"],
    rows,
  };
}

async function measureLog(name, target, modules, rows) {
  const { createCallLog } = await import(modules.store);
  const { createRegistry, defineTool } = await import(modules.core);
  const ways = [
    ["no log", undefined],
    ["queued", { acknowledge: "queued" }],
    ["queued, starts noted", { acknowledge: "queued", server: "bench" }],
    ["written", {}],
    ["written, starts noted", { server: "bench" }],
  ];
  const store = await openStore(modules.store, target);
  for (const [way, options] of ways) {
    const log = options && createCallLog(store, options);
    const registry = createRegistry(log === undefined ? {} : { recorder: log });
    registry.register(
      defineTool({
        name: "echo",
        description: "Echoes",
        inputSchema: { type: "object", properties: { text: { type: "string" } } },
        handler: async ({ text }) => `echo ${text}`,
      }),
    );
    const run = async (count) => {
      await Promise.all(
        Array.from({ length: callers }, async () => {
          for (let index = 0; index < count / callers; index++)
            await registry.invoke("echo", { text: `call ${index}` }, { caller: { agent: "a" } });
        }),
      );
      await log?.flush();
    };
    const [cpuUs, wallUs] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const [cpu, started] = [process.cpuUsage(), performance.now()];
      await run(calls);
      const { user, system } = process.cpuUsage(cpu);
      cpuUs.push((user + system) / calls);
      wallUs.push(((performance.now() - started) * 1_000) / calls);
    }
    rows.push([
      `${name}, ${way}`,
      `${Math.min(...cpuUs).toFixed(1)} µs`,
      `${Math.min(...wallUs).toFixed(1)} µs`,
      String(Math.round(1_000_000 / Math.min(...wallUs))),
    ]);
  }
  await store.close();
}
