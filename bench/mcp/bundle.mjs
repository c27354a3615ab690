import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The source as plain JavaScript for the servers' processes: `{ mcp, core }`, each the URL of a module. */
export async function bundleMcp() {
  const { rolldown } = await import("rolldown");
  const dir = join(root, "packages/mcp/.build/bench");
  const build = await rolldown({
    input: { mcp: join(root, "packages/mcp/src/index.ts"), core: join(root, "packages/core/src/index.ts") },
    external: (id) => /^[^./]/.test(id) && !id.startsWith("@toolrack/"),
    resolve: { conditionNames: ["toolrack-source", "node", "import"] },
    platform: "node",
    logLevel: "silent",
  });
  await build.write({ dir, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await build.close();
  const url = (name) => pathToFileURL(join(dir, `${name}.mjs`)).href;
  return { mcp: url("mcp"), core: url("core") };
}
