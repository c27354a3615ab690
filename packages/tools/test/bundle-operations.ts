import { join } from "node:path";
import { rolldown } from "rolldown";

/** The operations on programs as a file that Node runs as it is. Answers where it is. */
export async function bundleOperations(folder: string): Promise<string> {
  const build = await rolldown({
    input: join(import.meta.dirname, "../src/operations/node-processes.ts"),
    resolve: { conditionNames: ["toolrack-source", "node", "import"] },
    platform: "node",
  });
  const { output } = await build.write({ dir: folder, entryFileNames: "operations.mjs" });
  await build.close();
  return join(folder, output[0].fileName);
}
