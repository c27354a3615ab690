import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { install, isInstallStale } from "../../scripts/lib/install.mjs";
import { isMain } from "../../scripts/lib/main.mjs";
import { runTool } from "../../scripts/lib/run.mjs";
import { orExit, ready } from "../../scripts/ready.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));

/**
 * Compiles every file of this folder against the SDKs of its package-lock.json and the built declarations of our packages. Answers
 * `{ passed, failed, skipped, note, output }`: a file counts as one check. Where the SDKs cannot be installed the suite is
 * skipped, and fails with TOOLRACK_REQUIRE=all.
 */
export async function checkTypes() {
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
  const problem = await installSdks();
  if (problem !== undefined) {
    const required = process.env.TOOLRACK_REQUIRE === "all";
    const note = `skipped: the SDKs of bench/types could not be installed (${problem})`;
    return { passed: 0, failed: required ? 1 : 0, skipped: required ? 0 : files.length, note, output: note };
  }
  const { code, output } = await runTool("typescript", "tsc", ["-p", folder, "--pretty", "false"], { cwd: folder });
  const wrong = new Set(Array.from(output.matchAll(/^(\S+)\(\d+,\d+\): error /gm), ([, file]) => file));
  // An error without a file, or in the declarations of a package, is a failure as well.
  const failed = code === 0 ? 0 : Math.max(1, wrong.size);
  const passed = files.filter((file) => !wrong.has(file)).length;
  return { passed: code === 0 || wrong.size > 0 ? passed : 0, failed, note: `${passed} of ${files.length}`, output };
}

/** Answers why the SDKs could not be installed, in one line, or undefined. */
async function installSdks() {
  if (!isInstallStale(folder)) return undefined;
  const { code, output } = await install(folder, ["--ignore-scripts"]);
  if (code === 0) return undefined;
  return output.split("\n").find((line) => line.startsWith("npm error")) ?? `npm ended with ${code}`;
}

if (isMain(import.meta.url)) {
  await orExit(ready);
  const { failed, note, output } = await checkTypes();
  console.log(failed > 0 ? output.trimEnd() : note);
  process.exitCode = failed > 0 ? 1 : 0;
}
