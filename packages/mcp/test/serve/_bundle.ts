import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** A fixture and the source that it uses, as one file that plain Node runs: `{ file, remove }`. */
export async function bundleFixture(name: string): Promise<{ file: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "toolrack-mcp-"));
  const file = join(folder, "server.mjs");
  const build = await rolldown({
    input: fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url)),
    platform: "node",
    resolve: { conditionNames: ["toolrack-source", "node", "import", "default"] },
    logLevel: "silent",
  });
  await build.write({ file, format: "esm", codeSplitting: false });
  await build.close();
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}
