import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { privatePackages } from "../house/drawing.mjs";
import { listFolders, root } from "./files.mjs";
import { runNpm } from "./run.mjs";

/** The folders of the packages that are published. */
export function publishedPackages() {
  return listFolders(join(root, "packages")).filter((name) => !privatePackages.includes(name));
}

/** Packs every published package, as it is built, into a folder. Returns by the package's name what npm says of it, with its `filename`. */
export async function packPackages(folder) {
  const places = publishedPackages().map((name) => `./packages/${name}`);
  const args = ["pack", "--json", "--silent", "--ignore-scripts", "--pack-destination", folder, ...places];
  const { code, output } = await runNpm(args, { cwd: root });
  if (code !== 0) throw new Error(`npm pack ended with ${code}:\n${output}`);
  const packed = JSON.parse(output.slice(output.search(/^[[{]/m)));
  return new Map((Array.isArray(packed) ? packed : Object.values(packed)).map((one) => [one.name, one]));
}

/**
 * The packages, packed once for all processes of a run of the tests, which have the folder of that run in common: `{ folder, packed }`. Whoever
 * asks first packs them, the others wait. Nobody changes that folder.
 */
export async function packedOnce(run = process.env.TEST_RUN_FOLDER) {
  const folder = join(run, "packed");
  const list = join(folder, "packed.json");
  if (isFirst(folder)) {
    const outcome = await packPackages(folder).then(
      (packed) => ({ packed: [...packed] }),
      (error) => ({ error: String(error) }),
    );
    writeFileSync(`${list}.new`, JSON.stringify(outcome));
    renameSync(`${list}.new`, list);
  }
  while (!existsSync(list)) await sleep(50);
  const { packed, error } = JSON.parse(readFileSync(list, "utf8"));
  if (error !== undefined) throw new Error(error);
  return { folder, packed: new Map(packed) };
}

function isFirst(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}
