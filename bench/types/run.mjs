import { readdirSync } from "node:fs";
import { isMain } from "../../scripts/lib/main.mjs";
import { runTool } from "../../scripts/lib/run.mjs";
import { printStep } from "../../scripts/lib/step-program.mjs";
import { folder, withSdks } from "./sdks.mjs";

/**
 * Compiles every file of this folder against the packages of its package-lock.json and the built declarations of ours. Answers
 * `{ passed, failed, skipped, note, output }`: a file counts as one check.
 */
export function checkTypes() {
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
  return withSdks(files.length, async () => {
    const { code, output } = await runTool("typescript", "tsc", ["-p", ".", "--pretty", "false"], { cwd: folder });
    const isGood = code === 0;
    const wrong = new Set(Array.from(output.matchAll(/^(\S+)\(\d+,\d+\): error /gm), ([, file]) => file));
    // An error without a file is a failure as well.
    const failed = isGood ? 0 : Math.max(1, wrong.size);
    const passed = files.filter((file) => !wrong.has(file)).length;
    return { passed: isGood || wrong.size > 0 ? passed : 0, failed, note: `${passed} of ${files.length}`, output };
  });
}

if (isMain(import.meta.url)) await printStep(checkTypes);
