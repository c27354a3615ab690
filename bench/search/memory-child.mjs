import { loadEngines } from "./engines.mjs";
import { speedSetting } from "./setting.mjs";

// Started by speed.mjs with --expose-gc: prints the megabytes that one engine's index keeps.
const [name, folder] = process.argv.slice(2);
const { tools, queries } = speedSetting(folder);
const { create } = (await loadEngines()).find((engine) => engine.name === name);
create(tools.slice(0, 50)).search(queries[0], 5);
const before = used();
const index = create(tools);
index.search(queries[0], 5);
const after = used();
process.stdout.write(String((after - before) / 1e6));
index.search(queries[0], 5);

/** The process's own memory for SQLite, which keeps its tables outside of the heap. */
function used() {
  for (let times = 0; times < 4; times++) globalThis.gc();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return name.startsWith("SQLite") ? rss : heapUsed + arrayBuffers;
}
