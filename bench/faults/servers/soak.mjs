import { setTimeout as sleep } from "node:timers/promises";
import { createCluster } from "./cluster.mjs";
import { startLoad, untilRecovered } from "./load.mjs";

/** Keeps the load up for so long, and tells what grew. */
export async function runSoak(modules, seconds) {
  const closers = [];
  try {
    const [{ startOwnPostgres }, { startNginx }] = await Promise.all([import(modules.postgres), import(modules.nginx)]);
    const postgres = await startOwnPostgres({ fsync: true });
    closers.push(() => postgres.stop());
    const cluster = createCluster(modules, {
      environment: { DATABASE_URL: postgres.connectionString },
      config: { server: { allowedHosts: ["127.0.0.1"] } },
    });
    closers.push(
      () => cluster.remove(),
      () => cluster.close(),
    );
    for (let index = 0; index < 3; index++) await cluster.start(index);
    const key = await makeKey(modules, postgres, cluster);
    const nginx = await startNginx(
      cluster.servers.map(({ url }) => new URL(url).host),
      ["X-Forwarded-For $remote_addr"],
    );
    closers.push(() => nginx.stop());
    const urls = () => [nginx.url];
    await untilRecovered({ urls, key });
    const database = await openDatabase(postgres.connectionString);
    closers.push(() => database.end());
    const load = startLoad({ urls, key, name: "soak", callers: 8, pauseMs: 0 });
    const samples = [];
    const everyMs = Math.max(1_000, (seconds * 1_000) / 60);
    for (const end = performance.now() + seconds * 1_000; performance.now() < end;) {
      await sleep(everyMs);
      samples.push(await sample(cluster, database, load.answers.length));
    }
    const answers = await load.stop();
    return [toTable(samples, answers, seconds)];
  } finally {
    for (const close of closers.toReversed()) await Promise.resolve(close()).catch((error) => console.error(String(error)));
  }
}

async function makeKey(modules, postgres, cluster) {
  const { openRack } = await import(modules.server);
  const rack = await openRack({
    environment: { TOOLRACK_MASTER_KEY: cluster.masterKey, DATABASE_URL: postgres.connectionString },
    folder: cluster.folder,
    config: { agents: { caller: {} } },
  });
  const { secret } = await rack.keys.create({ agent: "caller", roles: ["admin"], by: "bench" });
  await rack.close();
  return secret;
}

async function openDatabase(connectionString) {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

async function sample(cluster, database, calls) {
  const usages = await Promise.all([0, 1, 2].map((index) => cluster.usage(index)));
  const { rows } = await database.query(
    "select (select count(*)::int from pg_stat_activity where datname = current_database()) as connections, pg_database_size(current_database())::float8 as bytes",
  );
  return {
    calls,
    heap: Math.max(...usages.map(({ heapUsed }) => heapUsed)),
    rss: Math.max(...usages.map(({ rss }) => rss)),
    handles: Math.max(...usages.map(({ handles }) => handles)),
    connections: rows[0].connections,
    bytes: rows[0].bytes,
  };
}

function toTable(samples, answers, seconds) {
  const first = samples[Math.floor(samples.length / 3)];
  const last = samples.at(-1);
  const failed = answers.filter(({ ok }) => !ok).length;
  const perCall = (field) => (last[field] - first[field]) / Math.max(1, last.calls - first.calls);
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  const rows = [
    ["calls", "", String(answers.length), `${(answers.length / seconds).toFixed(0)} a second`, ""],
    ["calls that failed", "", String(failed), "0", failed === 0 ? "ok" : "over"],
    [
      "heap of the largest server, after collection",
      megabytes(first.heap),
      megabytes(last.heap),
      "≤ +10 MB",
      last.heap - first.heap <= 1e7 ? "ok" : "over",
    ],
    [
      "resident memory of the largest server",
      megabytes(first.rss),
      megabytes(last.rss),
      "≤ +64 MB",
      last.rss - first.rss <= 6.4e7 ? "ok" : "over",
    ],
    [
      "handles of the largest server",
      String(first.handles),
      String(last.handles),
      "≤ +20",
      last.handles - first.handles <= 20 ? "ok" : "over",
    ],
    ["connections to PostgreSQL", String(first.connections), String(last.connections), "≤ 36", last.connections <= 36 ? "ok" : "over"],
    ["heap per call", "", `${perCall("heap").toFixed(1)} bytes`, "", ""],
    ["database per call", "", `${perCall("bytes").toFixed(0)} bytes`, "≤ 2,000 bytes", perCall("bytes") <= 2_000 ? "ok" : "over"],
  ];
  return { caption: `After ${seconds} s`, columns: ["what", "after a third", "at the end", "target", "verdict"], rows };
}
