import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, root } from "../../scripts/lib/files.mjs";
import { runFiles } from "../lib/run-files.mjs";

export const title = "The long form of the tests that `npm test` runs with fewer values, rows and rounds";

/** Takes as long as it takes: runs only when it is named. */
export const onlyByName = true;

/** SIZES_ONLY="store/test" takes the files whose path contains it. */
export async function run() {
  const only = process.env.SIZES_ONLY;
  const files = sizedFiles().filter((file) => only === undefined || file.includes(only));
  const { byFile } = await runFiles(files, { ...process.env, TOOLRACK_LONG: "1" });
  const rows = files.map((file) => {
    const { passed = 0, named = ["was not run"] } = byFile.get(file) ?? {};
    return [file, String(passed), String(named.length), named.join("; "), named.length === 0 ? "ok" : "over"];
  });
  return [{ caption: "Each file with a long form", columns: ["file", "passed", "failed", "which", "verdict"], rows }];
}

/** The test files that use `sized`. */
export function sizedFiles() {
  return ["packages", "scripts/test", "bench/test"]
    .flatMap((folder) => listFiles(join(root, folder)).map((file) => `${folder}/${file}`))
    .filter((file) => /[.]test[.](?:tsx?|mjs)$/.test(file))
    .filter((file) => readFileSync(join(root, file), "utf8").includes("@toolrack/testkit/sized"));
}
