import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { duration } from "../lib/table.mjs";
import { loadEngines } from "./engines.mjs";
import { speedSetting } from "./setting.mjs";

const limits = { p99: 2e6, build: 5e8, change: 1e5, heapMb: 10 };

/** CPU time of queries, the engines taking turns; of building; of one changed tool; and the memory that an index keeps. */
export async function speedTables(folder) {
  const { tools, queries } = speedSetting(folder);
  const loaded = await loadEngines();
  const engines = loaded.filter(({ notRun }) => notRun === undefined);
  const builds = engines.map(() => []);
  let indexes;
  for (let round = 0; round < 3; round++) indexes = engines.map(({ create }, place) => timed(() => create(tools), builds[place]));
  for (const index of indexes) {
    const started = process.cpuUsage();
    for (let turn = 0; cpuNanoseconds(started) < 3e9; turn++) index.search(queries[turn % queries.length], 10);
  }
  const asked = askByTurns(indexes, queries);
  const changes = indexes.map((index) => timeChanges(index, tools.slice(0, 640)));
  const memory = engines.map(({ name }) => measureMemory(name, folder));
  const row = (name, values, format, limit) => {
    return [
      name,
      ...values.map(format),
      limit === undefined ? "" : `≤ ${format(limit)}`,
      limit === undefined ? "" : values[0] <= limit ? "ok" : "over",
    ];
  };
  const megabytes = (value) => `${value.toFixed(1)} MB`;
  const notRun = loaded.filter((engine) => engine.notRun).map(({ name, notRun: why }) => ` ${name} was not run: ${why}.`);
  return [
    {
      caption: `${tools.length.toLocaleString("en")} tools, ${queries.length.toLocaleString("en")} queries, CPU time.${notRun.join("")}`,
      columns: ["what", ...engines.map(({ name }) => name), "target", "verdict"],
      rows: [
        row(
          "a query, median",
          asked.map((samples) => at(samples, 0.5)),
          duration,
        ),
        row(
          "a query, 99 in 100",
          asked.map((samples) => at(samples, 0.99)),
          duration,
          limits.p99,
        ),
        row(
          "building",
          builds.map((samples) => at(samples, 0.5)),
          duration,
          limits.build,
        ),
        row("one changed tool", changes, duration, limits.change),
        row("memory", memory, megabytes, limits.heapMb),
      ],
    },
  ];
}

/**
 * Each query three times, of which the middle one counts. Some queries at a time: after every single query of another, an engine would be
 * charged for clearing up that one's garbage.
 */
function askByTurns(indexes, queries) {
  const asked = indexes.map(() => []);
  for (let from = 0; from < queries.length; from += perTurn) {
    for (const [engine, index] of indexes.entries()) {
      const some = queries.slice(from, from + perTurn);
      const rounds = [0, 1, 2].map(() => some.map((query) => ownTime(() => index.search(query, 10))));
      asked[engine].push(
        ...some.map((_, place) =>
          at(
            rounds.map((times) => times[place]),
            0.5,
          ),
        ),
      );
    }
  }
  return asked;
}

const perTurn = 32;

/** Changes tools, and changes them back, some at a time; answers the time of one change, in the middle of all. */
function timeChanges(index, tools) {
  const times = [];
  for (let from = 0; from < tools.length; from += perTurn) {
    const some = tools.slice(from, from + perTurn);
    const time = ownTime(() => {
      for (const before of some) {
        const after = { ...before, description: `${before.description} Changed.` };
        index.replace(before, after);
        index.replace(after, before);
      }
    });
    times.push(time / (2 * some.length));
  }
  return at(times, 0.5);
}

/** What a piece of work took of its own thread: no more than the clock says, and no more than the CPU time of all threads. */
function ownTime(run) {
  const started = process.cpuUsage();
  const startedAt = performance.now();
  run();
  return Math.min((performance.now() - startedAt) * 1e6, cpuNanoseconds(started));
}

function timed(run, samples) {
  const started = process.cpuUsage();
  const value = run();
  samples.push(cpuNanoseconds(started));
  return value;
}

function cpuNanoseconds(started) {
  const { user, system } = process.cpuUsage(started);
  return (user + system) * 1_000;
}

function at(samples, share) {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** In a process of its own: what is left after collecting garbage, with the index and without. */
function measureMemory(name, folder) {
  const script = fileURLToPath(new URL("./memory-child.mjs", import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--expose-gc", script, name, ...(folder === undefined ? [] : [folder])], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`Measuring the memory of ${name} failed: ${stderr}`);
  return Number(stdout);
}
