import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

interface File {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** The same for every test of this process. */
let bundled: Promise<readonly File[]> | undefined;

/** Writes the operations on programs as a file that Node runs as it is. Answers where it is. */
export async function bundleOperations(folder: string): Promise<string> {
  const files = await (bundled ??= bundle());
  mkdirSync(folder, { recursive: true });
  for (const { name, content } of files) writeFileSync(join(folder, name), content);
  return join(folder, files[0]!.name);
}

async function bundle(): Promise<readonly File[]> {
  const build = await rolldown({
    input: join(import.meta.dirname, "../src/operations/node-processes.ts"),
    resolve: { conditionNames: ["toolrack-source", "node", "import"] },
    platform: "node",
  });
  const { output } = await build.generate({ entryFileNames: "operations.mjs" });
  await build.close();
  return output.map((one) => ({ name: one.fileName, content: one.type === "chunk" ? one.code : one.source }));
}
