import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createCluster } from "./cluster.mjs";
import { countCalls } from "./count.mjs";
import { startLoad, untilRecovered } from "./load.mjs";

/** Runs one fault under load, and counts. */
export async function runFault(modules, fault) {
  const closers = [];
  try {
    const disk = fault.disk === undefined ? undefined : (await import(modules.smallDisk)).createSmallDisk(fault.disk);
    if (disk !== undefined) closers.push(() => disk.remove());
    const isPostgres = fault.on === "postgres";
    const postgres = isPostgres ? await startPostgres(modules, disk) : undefined;
    if (postgres !== undefined) closers.push(() => postgres.stop());
    const storeFolder = isPostgres ? undefined : (disk?.folder ?? mkdtempSync(join(tmpdir(), "toolrack-faults-store-")));
    const environment = isPostgres ? { DATABASE_URL: postgres.connectionString } : {};
    const store = isPostgres ? undefined : { sqlite: ".toolrack/toolrack.db" };
    const cluster = createCluster(modules, { store, environment, storeFolder, config: fault.config, prepare: fault.prepare });
    closers.push(() => cluster.remove());
    closers.push(() => cluster.close());
    const offsets = fault.clockOffsetsMs ?? (isPostgres ? [0, 0, 0] : [0]);
    for (const [index, clockOffsetMs] of offsets.entries()) {
      const { failed } = await cluster.start(index, { clockOffsetMs });
      if (failed !== undefined) throw new Error(`A server did not start: ${failed}`);
    }
    const rack = await openLook(modules, { postgres, storeFolder, folder: join(cluster.folder, "home"), masterKey: cluster.masterKey });
    closers.push(() => rack.close());
    const { secret: key } = await rack.keys.create({ agent: "caller", roles: ["admin"], by: "bench" });
    const urls = () =>
      cluster.servers.filter(({ process }) => process.exitCode === null && process.signalCode === null).map(({ url }) => url);
    await untilRecovered({ urls, key });
    const load = startLoad({ urls, key, name: "t", workMs: fault.workMs });
    await sleep(2_000);
    await fault.hit({ postgres: postgres?.faults, cluster, disk, storeFolder, key });
    const recoveredMs = await untilRecovered({ urls, key });
    await sleep(2_000);
    const answers = await load.stop();
    const stillRunning = await settle(() => listRunning(urls(), key));
    const lines = await settleLines(rack, cluster);
    const { verifyAudit } = await import(modules.store);
    const audit = await verifyAudit(rack.store);
    const probes = ({ token }) => token.startsWith("probe-");
    const counts = countCalls({ ran: cluster.ran().filter((one) => !probes(one)), lines, answers, stillRunning: stillRunning.length });
    return { ...counts, recoveredMs, audit: audit.ok ? "intact" : audit.reason };
  } finally {
    for (const close of closers.toReversed()) await Promise.resolve(close()).catch((error) => console.error(String(error)));
  }
}

/** Another look at the same store, without a server. */
async function openLook(modules, { postgres, storeFolder, folder, masterKey }) {
  const { openRack } = await import(modules.server);
  const quiet = () => undefined;
  return openRack({
    environment: { TOOLRACK_MASTER_KEY: masterKey, ...(postgres && { DATABASE_URL: postgres.connectionString }) },
    folder: storeFolder ?? folder,
    config: {
      ...(postgres === undefined && { store: { sqlite: ".toolrack/toolrack.db" } }),
      agents: { caller: {} },
      tools: { packs: { utility: false, sessions: false } },
    },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
}

async function startPostgres(modules, disk) {
  const { startOwnPostgres } = await import(modules.postgres);
  return startOwnPostgres({ fsync: true, ...(disk !== undefined && { folder: disk.folder, isSmall: true }) });
}

async function listRunning(urls, key) {
  const all = await Promise.all(
    urls.map((url) => fetch(`${url}/api/v1/running`, { headers: { authorization: `Bearer ${key}` } }).then((response) => response.json())),
  );
  return all.flatMap(({ calls = [] }) => calls);
}

/** Ends that were kept are written within a while, and dead servers' calls are given up. */
async function settle(list) {
  for (let tries = 0; ; tries++) {
    const left = await list();
    if (left.length === 0 || tries > 90) return left;
    await sleep(1_000);
  }
}

async function settleLines(rack, cluster) {
  for (let tries = 0; ; tries++) {
    const lines = await allLines(rack);
    const known = new Set(lines.map(({ callId }) => callId));
    if (tries > 60 || cluster.ran().every(({ callId }) => known.has(callId))) return lines;
    await sleep(1_000);
  }
}

async function allLines({ calls }) {
  const lines = [];
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const page = await calls.list({ tool: "mark", before, limit: 1_000 });
    lines.push(...page.map(({ callId, ok, error }) => ({ callId, ok, code: error?.code })));
    if (page.length < 1_000) return lines;
    before = page.at(-1).number;
  }
}
