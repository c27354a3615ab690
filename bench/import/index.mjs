import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../../scripts/lib/files.mjs";
import { run as runProgram } from "../../scripts/lib/run.mjs";
import { coreUrl } from "../lib/core.mjs";
import { median } from "../lib/measure.mjs";
import { placeFor } from "../lib/peers.mjs";
import { bundleTable } from "./bundle-sizes.mjs";
import { countInstalled } from "./count-installed.mjs";
import { startTable } from "./start.mjs";

export const title =
  "Importing the library: CPU time above an empty process, the packages that come with it, and the size of bundles; starting the command";

const targetMs = 40;
const targetPackages = 10;
const rounds = 15;

const subjects = [
  { name: "@toolrack/core", specifier: coreUrl.href, needs: [], target: targetMs },
  { name: "AI SDK (ai)", specifier: "ai", needs: ["ai"] },
  { name: "LangChain (@langchain/core/tools)", specifier: "@langchain/core/tools", needs: ["@langchain/core"] },
];

export async function run() {
  return [await importTable(), packagesTable(), await bundleTable(), await startTable()];
}

async function importTable() {
  const placed = [];
  for (const subject of subjects) placed.push({ ...subject, place: await placeOf(subject), samples: [] });
  const running = placed.filter(({ place }) => place.node);
  const empty = new Map(running.map(({ place }) => [place.node, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [node, samples] of empty) samples.push(await probe(node));
    for (const { place, specifier, samples } of running) samples.push(await probe(place.node, specifier));
  }
  return {
    caption: `Import, median of ${rounds} fresh processes each`,
    columns: ["what", "Node", "CPU time", "target", "verdict"],
    rows: placed.map(({ name, place, samples, target }) => {
      if (place.notRun) return [name, "", "not run", "", place.notRun];
      const ms = median(samples) - median(empty.get(place.node));
      const verdict = ms <= target ? "ok" : "over";
      return [name, place.version, `${ms.toFixed(1)} ms`, ...(target === undefined ? ["", ""] : [`≤ ${target} ms`, verdict])];
    }),
  };
}

/** Where the subject runs. A peer that cannot be imported there does not run; we ourselves must. */
async function placeOf({ specifier, needs }) {
  const place = placeFor(needs);
  if (place.notRun || needs.length === 0) return place;
  return probe(place.node, specifier).then(
    () => place,
    (error) => ({ notRun: error.message }),
  );
}

/** CPU milliseconds of a fresh process that imports this. */
async function probe(node, specifier) {
  const script = fileURLToPath(new URL("./probe.mjs", import.meta.url));
  const { code, output } = await runProgram(node, [script, ...(specifier === undefined ? [] : [specifier])]);
  if (code !== 0) throw new Error(`cannot be imported: ${output.match(/^.*Error.*$/m)?.[0] ?? `it ended with ${code}`}`);
  return Number(output) / 1_000;
}

function packagesTable() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const count = countInstalled(packages, "packages/core");
  return {
    caption: "Packages that an installation brings, itself included",
    columns: ["what", "packages", "target", "verdict"],
    rows: [["@toolrack/core", String(count), `≤ ${targetPackages}`, count <= targetPackages ? "ok" : "over"]],
  };
}
