import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { duration } from "../lib/table.mjs";
import { loadEngines } from "./engines.mjs";
import { speedSetting } from "./setting.mjs";

const limits = { p99: 2e6, build: 5e8, change: 1e5, heapMb: 10 };

/** CPU time of queries, one after the other over all engines; of building; of one changed tool; and the memory that an index keeps. */
export async function speedTables(folder) {
  const { tools, queries } = speedSetting(folder);
  const loaded = await loadEngines();
  const engines = loaded.filter(({ notRun }) => notRun === undefined);
  const builds = engines.map(() => []);
  let indexes;
  for (let round = 0; round < 3; round++) indexes = engines.map(({ create }, place) => timed(() => create(tools), builds[place]));
  const asked = engines.map(() => []);
  for (const index of indexes) {
    const started = process.cpuUsage();
    for (let turn = 0; cpuNanoseconds(started) < 3e9; turn++) index.search(queries[turn % queries.length], 10);
  }
  for (const [turn, query] of queries.entries()) {
    for (let place = 0; place < engines.length; place++) {
      const engine = (turn + place) % engines.length;
      timed(() => indexes[engine].search(query, 10), asked[engine]);
    }
  }
  const changes = engines.map((_, place) => {
    const started = process.cpuUsage();
    for (let index = 0; index < 200; index++) {
      const before = tools[index];
      const after = { ...before, description: `${before.description} Changed.` };
      indexes[place].replace(before, after);
      indexes[place].replace(after, before);
    }
    return cpuNanoseconds(started) / 400;
  });
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
