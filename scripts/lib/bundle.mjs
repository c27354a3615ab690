import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./files.mjs";

/**
 * Packages whose many small files would take longer to load than to run.
 * The core keeps its few dependencies outside, because its users share them; the command brings all but what is native, because it
 * is started anew for every word that is typed.
 */
const bundled = {
  core: { entries: entriesOf, external: /^[^./]/ },
  cli: { entries: (folder) => ({ main: join(folder, "dist", "main.js") }), external: ["@photostructure/sqlite", "pg-native"] },
};

/**
 * Joins the compiled files of a package to one file for each of its entries, plus what entries share and what is loaded late.
 * Importing @toolrack/core takes a quarter of the time that its separate files take, starting the command a third.
 */
export async function bundle() {
  const { rolldown } = await import("rolldown");
  for (const [name, { entries, external }] of Object.entries(bundled)) {
    const folder = join(root, "packages", name);
    rmSync(join(folder, "lib"), { recursive: true, force: true });
    const build = await rolldown({ input: entries(folder), external, platform: "node", cwd: folder, logLevel: "warn" });
    await build.write({
      dir: join(folder, "lib"),
      format: "esm",
      chunkFileNames: "[name]-[hash].js",
      // Loading costs by the byte. The source maps tell a stack trace where it really was.
      minify: true,
      sourcemap: true,
    });
    await build.close();
  }
}

/** The bundles that must be there. */
export function bundleFiles() {
  return Object.entries(bundled).flatMap(([name, { entries }]) => {
    const folder = join(root, "packages", name);
    return Object.keys(entries(folder)).map((entry) => join(folder, "lib", `${entry}.js`));
  });
}

/** { ".": { types: "./dist/index.d.ts", default: "./lib/index.js" } } → { index: "<folder>/dist/index.js" } */
function entriesOf(folder) {
  if (!existsSync(join(folder, "package.json"))) return {};
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const entries = Object.values(exports).filter((entry) => typeof entry === "object");
  return Object.fromEntries(
    entries.map((entry) => [/([^/]+)\.js$/.exec(entry.default)[1], join(folder, entry.types.replace(/\.d\.ts$/, ".js"))]),
  );
}
