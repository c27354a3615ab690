import { readdirSync } from "node:fs";
import { isMain } from "../../scripts/lib/main.mjs";
import { runTool } from "../../scripts/lib/run.mjs";
import { printStep } from "../../scripts/lib/step-program.mjs";
import { folder, withSdks } from "./sdks.mjs";

/** Mastra has a project of its own, because its declarations do not compile. */
const projects = ["tsconfig.json", "tsconfig.mastra.json"];

/**
 * Compiles every file of this folder against the packages of its package-lock.json and the built declarations of ours. Answers
 * `{ passed, failed, skipped, note, output }`: a file counts as one check.
 */
export function checkTypes() {
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
  return withSdks(files.length, async () => {
    const compiled = await Promise.all(
      projects.map((project) => runTool("typescript", "tsc", ["-p", project, "--pretty", "false"], { cwd: folder })),
    );
    const isGood = compiled.every(({ code }) => code === 0);
    const output = compiled.map((one) => one.output).join("");
    const wrong = new Set(Array.from(output.matchAll(/^(\S+)\(\d+,\d+\): error /gm), ([, file]) => file));
    // An error without a file, or in the declarations of a package, is a failure as well.
    const failed = isGood ? 0 : Math.max(1, wrong.size);
    const passed = files.filter((file) => !wrong.has(file)).length;
    return { passed: isGood || wrong.size > 0 ? passed : 0, failed, note: `${passed} of ${files.length}`, output };
  });
}

if (isMain(import.meta.url)) await printStep(checkTypes);
