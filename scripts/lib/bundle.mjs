import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./files.mjs";

/** Packages whose many small files would take longer to load than to run. */
const bundled = ["core"];

/**
 * Joins the compiled files of a package to one file for each entry of its `exports`, plus what entries share.
 * Importing @toolrack/core takes a quarter of the time that its separate files take.
 */
export async function bundle() {
  const { rolldown } = await import("rolldown");
  for (const name of bundled) {
    const folder = join(root, "packages", name);
    rmSync(join(folder, "lib"), { recursive: true, force: true });
    const build = await rolldown({ input: entriesOf(folder), external: /^[^./]/, platform: "node", cwd: folder, logLevel: "warn" });
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
  return bundled.flatMap((name) => {
    const folder = join(root, "packages", name);
    return Object.keys(entriesOf(folder)).map((entry) => join(folder, "lib", `${entry}.js`));
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
