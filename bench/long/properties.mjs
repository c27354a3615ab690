import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, root } from "../../scripts/lib/files.mjs";
import { runFiles } from "../lib/run-files.mjs";

export const title = "Property tests with values that were never drawn before, and more of them";

/** Takes as long as it takes: runs only when it is named. */
export const onlyByName = true;

/** FC_SEED=7 draws the values of that seed. PROPERTIES_ONLY="core/test" takes the files whose path contains it. */
export async function run() {
  const { FC_SEED = "random", PROPERTIES_ONLY: only } = process.env;
  const files = propertyFiles().filter((file) => only === undefined || file.includes(only));
  const { byFile } = await runFiles(files, { ...process.env, FC_SEED, TOOLRACK_LONG: "1" });
  for (const [file, { messages }] of byFile) for (const message of messages) console.error(`${file}\n${message}\n`);
  const rows = files.map((file) => {
    const { passed = 0, named = ["was not run"] } = byFile.get(file) ?? {};
    return [file, String(passed), String(named.length), named.join("; "), named.length === 0 ? "ok" : "over"];
  });
  return [{ caption: "Each file with properties", columns: ["file", "passed", "failed", "which", "verdict"], rows }];
}

/** The test files that draw values. */
export function propertyFiles() {
  return ["packages", "scripts", "bench"]
    .flatMap((folder) => listFiles(join(root, folder)).map((file) => `${folder}/${file}`))
    .filter((file) => /\/test\/.*[.]test[.](tsx?|mjs)$/.test(file))
    .filter((file) => readFileSync(join(root, file), "utf8").includes('from "fast-check"'));
}
