import { runNode } from "./run.mjs";
import { orExit, ready } from "../ready.mjs";

/** A step that is a program of its own: it prints its answer as JSON in its last line. */
export async function runStep(file) {
  const { output } = await runNode([file, "--json"]);
  try {
    return JSON.parse(output.trimEnd().split("\n").at(-1));
  } catch {
    return { passed: 0, failed: 1, output };
  }
}

/** The other side: runs the check, and prints its answer for `runStep`, or for a person. */
export async function printStep(check) {
  await orExit(ready);
  const answer = await check();
  const shown = answer.failed > 0 ? answer.output.trimEnd() : answer.note;
  console.log(process.argv.includes("--json") ? JSON.stringify(answer) : shown);
  process.exitCode = answer.failed > 0 ? 1 : 0;
}
