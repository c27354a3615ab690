import { fileURLToPath, pathToFileURL } from "node:url";
import { join } from "node:path";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * The store's source as plain JavaScript for child processes, without a build: `{ core, store, postgres }`, each the URL of a module.
 * `name` is a folder of its own, so that two runs at the same time do not write the same files.
 */
export async function bundleStore(name) {
  const { rolldown } = await import("rolldown");
  const dir = join(root, "packages/store/.build", name);
  const build = await rolldown({
    input: {
      core: join(root, "packages/core/src/index.ts"),
      store: join(root, "packages/store/src/index.ts"),
      postgres: join(root, "packages/store/test/postgres.ts"),
    },
    external: (id) => /^[^./]/.test(id) && !id.startsWith("@toolrack/"),
    resolve: { conditionNames: ["toolrack-source", "node", "import"] },
    platform: "node",
    logLevel: "silent",
  });
  await build.write({ dir, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await build.close();
  const url = (name) => pathToFileURL(join(dir, `${name}.mjs`)).href;
  return { core: url("core"), store: url("store"), postgres: url("postgres") };
}
