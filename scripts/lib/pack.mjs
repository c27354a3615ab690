import { join } from "node:path";
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
