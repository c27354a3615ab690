import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./files.mjs";

/** The program of a thread has to be a file of its own, beside what starts it. */
const grammarThread = "grammar-thread";

/**
 * Names and lines stay, because users read them in stack traces. Loading the library takes no longer for it, and whoever bundles it minifies
 * the bundle.
 */
const readable = { compress: true, mangle: false, codegen: { removeWhitespace: false } };

/**
 * Packages whose many small files would take longer to load than to run.
 * Schemas and the core keep their few dependencies outside, because their users share them; they also run in browsers and workers, so nothing of
 * Node is added to them. The command brings all but what is native, because it is
 * started anew for every word that is typed, and is made from the sources of all packages, so that each part can be left until it is
 * wanted. It is CommonJS and ASCII: what was compiled of such files can be kept, and takes half the memory (see packages/cli/bin).
 */
const bundled = {
  "json-schema": { entries: entriesOf, external: /^[^./]/, platform: "neutral", minify: readable, ending: "js", output: { format: "esm" } },
  core: {
    entries: (folder) => ({
      ...entriesOf(folder),
      ...platformsOf(folder),
      [grammarThread]: join(folder, "dist", "grammar", "thread", `${grammarThread}.js`),
    }),
    external: /^[^./]/,
    platform: "neutral",
    minify: readable,
    ending: "js",
    output: { format: "esm" },
  },
  cli: {
    entries: (folder) => ({
      main: join(folder, "src", "main.ts"),
      [grammarThread]: join(folder, "..", "core", "src", "grammar", "thread", `${grammarThread}.ts`),
    }),
    // Native, or installed only by those who use it.
    external: ["@photostructure/sqlite", "pg-native", "playwright-core"],
    platform: "node",
    // Loading costs by the byte, and each command loads anew.
    minify: true,
    // The main file of jsonc-parser loads its parts in a way that no bundler can follow.
    resolve: { conditionNames: ["toolrack-source", "node"], alias: { "jsonc-parser$": "jsonc-parser/lib/esm/main.js" } },
    plugins: [ownImport()],
    ending: "cjs",
    output: { format: "cjs", charset: "ascii", dynamicImportInCjs: false },
  },
};

/**
 * Joins the files of each package to one file for each of its entries, plus what entries share and what is loaded late.
 * Importing @toolrack/core takes a quarter of the time that its separate files take, starting the command a third.
 */
export async function bundle() {
  for (const name of Object.keys(bundled)) await bundlePackage(name, join(root, "packages", name, "lib"));
}

/** Writes the bundle of one package into a folder, which holds nothing else afterwards. */
export async function bundlePackage(name, to) {
  const { rolldown } = await import("rolldown");
  const { entries, external, platform, resolve, plugins, minify, ending, output } = bundled[name];
  const folder = join(root, "packages", name);
  rmSync(to, { recursive: true, force: true });
  const input = entries(folder);
  const build = await rolldown({ input, external, resolve, plugins, platform, cwd: folder, logLevel: "warn" });
  await build.write({
    ...output,
    dir: to,
    entryFileNames: `[name].${ending}`,
    chunkFileNames: `[name]-[hash].${ending}`,
    minify,
    // Tells a stack trace where it really was, under `node --enable-source-maps`.
    sourcemap: true,
  });
  await build.close();
}

/** Modules that users name are imported by a file outside the bundle, which itself has nothing but `require`. */
function ownImport() {
  const isIt = /[/]import-module[.]ts$/;
  return { name: "own-import", resolveId: { filter: { id: isIt }, handler: () => ({ id: "../bin/import-module.cjs", external: true }) } };
}

/** The bundles that must be there. */
export function bundleFiles() {
  return Object.entries(bundled).flatMap(([name, { entries, ending }]) => {
    const folder = join(root, "packages", name);
    return Object.keys(entries(folder)).map((entry) => join(folder, "lib", `${entry}.${ending}`));
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

/**
 * What differs between runtimes: { "#platform": { "toolrack-source": …, node: "./lib/on-node/platform.js", default: … } }
 * → { "on-node/platform": "<folder>/dist/util/on-node/platform.js", … }
 */
function platformsOf(folder) {
  const { imports = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.fromEntries(
    Object.values(imports).flatMap(({ "toolrack-source": source, ...built }) =>
      Object.entries(built).map(([condition, path]) => [
        path.replace(/^\.\/lib\/|\.js$/g, ""),
        join(folder, source[condition].replace("./src/", "dist/").replace(/\.ts$/, ".js")),
      ]),
    ),
  );
}
