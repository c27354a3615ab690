import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The names of the benchmarks: the folders of bench/ that have an index.mjs. */
export function listBenchmarks() {
  return readdirSync(fileURLToPath(new URL("..", import.meta.url)))
    .filter((name) => name !== "node_modules" && existsSync(fileURLToPath(benchmarkUrl(name))))
    .toSorted();
}

/**
 * A benchmark exports `title`, `run(args, { only })`, which answers tables, `prepare` where it needs less than build and peers, and
 * `options`, as `parseArgs` takes them, where it has more than `--keep` and `--only`.
 */
export function loadBenchmark(name) {
  return import(benchmarkUrl(name).href);
}

function benchmarkUrl(name) {
  return new URL(`../${name}/index.mjs`, import.meta.url);
}
