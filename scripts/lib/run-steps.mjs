import { NotReadyError, ready } from "../ready.mjs";
import { seconds } from "./print.mjs";

/**
 * Makes the workspace ready and runs every step, also after one that failed. The output of a failed step is shown whole, and
 * the last line is "N passed, N failed". Answers the exit code. A list among the steps holds lists that run beside each other.
 */
export async function runSteps(steps, { build = true } = {}) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  try {
    await ready({ build });
    await runInOrder(steps, total);
  } catch (error) {
    if (!(error instanceof NotReadyError)) throw error;
    process.stdout.write(error.output);
    add(total, { failed: 1 });
  }
  process.stdout.write(`${closingLine(total)}\n`);
  return total.failed === 0 ? 0 : 1;
}

/** { passed: 3, failed: 0, skipped: 1 } → "3 passed, 0 failed, 1 skipped" */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

async function runInOrder(steps, total) {
  for (const step of steps) {
    if (Array.isArray(step)) await Promise.all(step.map((beside) => runInOrder(beside, total)));
    else add(total, await runStep(step));
  }
}

/** Prints its line when it ends: others may run beside it. */
async function runStep({ name, run }) {
  const started = performance.now();
  const outcome = await run();
  const { failed, note = "" } = outcome;
  const line = `${name.padEnd(10)}${seconds(performance.now() - started).padStart(7)}  ${failed === 0 ? "ok" : "FAILED"}${note && `  ${note}`}\n`;
  process.stdout.write(failed > 0 ? `${line}${outcome.output.trimEnd()}\n` : line);
  return outcome;
}

function add(total, { passed = 0, failed = 0, skipped = 0 }) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}
