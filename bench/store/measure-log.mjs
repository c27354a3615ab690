import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../faults/lib/open.mjs";

const callers = 64;
const calls = 6_400;

/** What keeping a log costs a call: many callers at the same time, one tool that answers at once. */
export async function measureLogs(modules, { engine, server } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-bench-"));
  const rows = [];
  try {
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
    await run(calls / 10);
    const [cpu, started] = [process.cpuUsage(), performance.now()];
    await run(calls);
    const { user, system } = process.cpuUsage(cpu);
    const wallMs = performance.now() - started;
    rows.push([
      `${name}, ${way}`,
      `${((user + system) / calls).toFixed(0)} µs`,
      `${((wallMs * 1_000) / calls).toFixed(0)} µs`,
      String(Math.round((calls * 1_000) / wallMs)),
    ]);
  }
  await store.close();
}
