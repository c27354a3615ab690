import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./files.mjs";

/**
 * Bundles source files into plain JavaScript for child processes, without a build of the packages. `entries` are paths relative to the root,
 * by name; `dir` is the output folder, also relative to the root: concurrent runs need a folder each. Returns the URL of each module by name.
 */
export async function bundleSources(entries, dir) {
  const { rolldown } = await import("rolldown");
  const folder = join(root, dir);
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, file)])),
    external: (id) => /^[^./#]/.test(id) && !id.startsWith("@toolrack/"),
    resolve: { conditionNames: ["toolrack-source", "node", "import"] },
    platform: "node",
    logLevel: "silent",
  });
  await build.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await build.close();
  return Object.fromEntries(Object.keys(entries).map((name) => [name, pathToFileURL(join(folder, `${name}.mjs`)).href]));
}
