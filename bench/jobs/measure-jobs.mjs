import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleServers } from "../lib/bundle.mjs";

const calls = 400;
const most = 3;
/** Long enough that one collection of garbage does not decide, and after what the start or the jobs left to do. */
const [settleMs, idleMs] = [10_000, 60_000];
const idleShare = 0.01;
const scheduled = 100;
const mostLateMs = 1_200;

/** CPU time of this process; that of the database is not in it. */
export async function measureJobs() {
  const modules = await bundleServers("jobs");
  const { openRack } = await import(modules.server);
  const { defineTool } = await import(modules.core);
  const rows = [];
  const late = [];
  const idle = [];
  for (const engine of ["sqlite", "postgres"]) {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-jobs-"));
    const database = engine === "postgres" ? await (await import(modules.postgres)).startPostgres() : undefined;
    const rack = await openRack({
      folder,
      environment: database === undefined ? {} : { DATABASE_URL: database.connectionString },
      config: { policy: { unknownAgents: "allow" }, jobs: { slots: 8, slotsPerCaller: 8 } },
      tools: [defineTool({ name: "work", description: "Works.", inputSchema: { type: "object" }, handler: () => ({ ok: 1 }) })],
    });
    try {
      await keyed(rack, "warm", 50);
      const withoutJobs = await idleShareOf();
      await jobs(rack, 50);
      const call = await keyed(rack, "measured", calls);
      const job = await jobs(rack, calls);
      const ratio = job.cpuMs / call.cpuMs;
      rows.push([engine, ms(call.cpuMs / calls), ms(job.cpuMs / calls), ratio.toFixed(2), `≤ ${most}`, ratio <= most ? "ok" : "over"]);
      const later = await jobs(rack, scheduled, () => Date.now() + 500 + Math.random() * 2_000);
      const target = `< ${mostLateMs} ms`;
      for (const [name, p95] of Object.entries({ "due at once": job.p95, "due within 2.5 s": later.p95 }))
        late.push([engine, name, ms(p95), target, p95 < mostLateMs ? "ok" : "over"]);
      const share = await idleShareOf();
      idle.push([engine, percent(withoutJobs), percent(share), `< ${percent(idleShare)}`, share < idleShare ? "ok" : "over"]);
    } finally {
      await rack.close({ graceMs: 0 });
      await database?.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return [
    {
      caption: `${calls} calls, 8 at a time; CPU time of the server for each`,
      columns: ["store", "call with a key", "job", "ratio", "target", "verdict"],
      rows,
    },
    {
      caption: `From due to started: ${calls} jobs that are due at once, 8 at a time, and ${scheduled} that are due at times`,
      columns: ["store", "jobs", "p95", "target", "verdict"],
      rows: late,
    },
    {
      caption: `The share of a core that a server takes in ${idleMs / 1_000} s without calls: before its first job nothing looks for jobs`,
      columns: ["store", "before its first job", "afterwards", "target", "verdict"],
      rows: idle,
    },
  ];
}

const caller = { agent: "bench" };

async function keyed(rack, name, count) {
  return measured(() =>
    Promise.all(
      Array.from({ length: 8 }, async (_, lane) => {
        for (let index = lane; index < count; index += 8) {
          const { ok, error } = await rack.call("work", {}, { caller, idempotencyKey: `${name}-${index}` }).result;
          if (!ok) throw new Error(error);
        }
      }),
    ),
  );
}

async function idleShareOf() {
  await sleep(settleMs);
  const { cpuMs } = await measured(() => sleep(idleMs));
  return cpuMs / idleMs;
}

async function jobs(rack, count, dueAt = () => undefined) {
  const delays = [];
  const done = new Promise((resolve) => {
    let left = count;
    const stop = rack.jobs.subscribe(({ type, job }) => {
      if (type === "started") delays.push(job.startedAt - job.dueAt);
      if (type === "done" && --left === 0) resolve(stop());
    });
  });
  const spent = await measured(async () => {
    for (let index = 0; index < count; index += 8)
      await Promise.all(
        Array.from({ length: Math.min(8, count - index) }, () => rack.jobs.add({ tool: "work", input: {}, caller, at: dueAt() })),
      );
    await done;
  });
  return { ...spent, p95: delays.sort((a, b) => a - b)[Math.floor(delays.length * 0.95)] };
}

async function measured(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000 };
}

function percent(share) {
  return `${(share * 100).toFixed(2)} %`;
}

function ms(value) {
  return `${value.toFixed(2)} ms`;
}
