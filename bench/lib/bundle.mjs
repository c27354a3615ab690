import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Source files as plain JavaScript for child processes, without a build of the packages. `entries` are paths from the root by name, `dir`
 * is where the modules go: a folder of its own for each run that may go on at the same time. Answers the URL of each module by name.
 */
export async function bundle(entries, dir) {
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

const core = "packages/core/src/index.ts";

/** Parts of the private test kit that benchmarks share with the tests. */
export const testkit = {
  postgres: "packages/testkit/src/postgres.ts",
  nginx: "packages/testkit/src/nginx.ts",
  smallDisk: "packages/testkit/src/small-disk.ts",
  until: "packages/testkit/src/until.ts",
};

/** `{ core, store, postgres }` */
export const bundleStore = (name) =>
  bundle({ core, store: "packages/store/src/index.ts", postgres: testkit.postgres }, `packages/store/.build/${name}`);

/** `{ core, mcp }` */
export const bundleMcp = () => bundle({ core, mcp: "packages/mcp/src/index.ts" }, "packages/mcp/.build/bench");

/** `{ schema, core, server }` */
export const bundleServer = () =>
  bundle({ schema: "packages/json-schema/src/index.ts", core, server: "packages/server/src/index.ts" }, "packages/server/.build/bench");
