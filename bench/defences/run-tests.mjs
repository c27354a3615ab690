import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Runs those tests of one file whose names contain one of `names`, and answers every test that was run:
 * `{ tests: [{ name, passed, message }], output }`. A file that does not load has no tests.
 */
export async function runTests(folder, file, names) {
  const report = join(folder, ".defences.json");
  rmSync(report, { force: true });
  const pattern = [...new Set(names)].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  const args = ["run", file, "-t", pattern, "--reporter=json", `--outputFile.json=${report}`, "--maxWorkers=1"];
  const output = await runVitest(folder, args);
  if (!existsSync(report)) return { tests: [], output };
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  const ran = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === "passed" || status === "failed");
  const tests = ran.map(({ fullName, status, failureMessages }) => ({
    name: fullName,
    passed: status === "passed",
    message: failureMessages.join("\n"),
  }));
  return { tests, output: testResults.map(({ message }) => message).join("\n") || output };
}

/** What it printed. Ended with all that it started when it takes far too long: a break may make something run for ever. */
function runVitest(folder, args) {
  return new Promise((resolve) => {
    const chunks = [];
    const child = spawn(process.execPath, [join(folder, "node_modules", "vitest", "vitest.mjs"), ...args], {
      cwd: folder,
      env: { ...process.env, CI: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const timer = setTimeout(() => {
      chunks.push(Buffer.from(`\nended after ${longestMs / 1_000} s`));
      process.kill(-child.pid, "SIGKILL");
    }, longestMs);
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => chunks.push(chunk));
    child.on("close", () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString("utf8"));
    });
  });
}

const longestMs = 180_000;

/** What an unbroken run must show for one row; undefined when it does. */
export function judgeUnbroken({ tests, output }, { name }) {
  const own = tests.filter((test) => test.name.includes(name));
  if (own.length === 0) return `no test ran: ${firstLine(output)}`;
  const failed = own.find(({ passed }) => !passed);
  return failed === undefined ? undefined : `fails without a break: ${firstLine(failed.message)}`;
}

/**
 * What a broken run must show: a test of the row fails, and by an assertion. A row that `waits` has a test which waits for what the break
 * prevents, and fails when its time is over; `failsWith` is what another error of the test says.
 */
export function judgeBroken({ tests, output }, { name, waits = false, failsWith }) {
  const own = tests.filter((test) => test.name.includes(name));
  if (own.length === 0) return `no test ran: ${firstLine(output)}`;
  const failed = own.filter(({ passed }) => !passed);
  if (failed.length === 0) return "the test still passes";
  const isCaught = (message) =>
    byAssertion.test(message) || (waits && byWaiting.test(message)) || (failsWith !== undefined && message.includes(failsWith));
  return failed.some(({ message }) => isCaught(message)) ? undefined : `failed, but by no assertion: ${firstLine(failed[0].message)}`;
}

// fast-check keeps the assertion as the cause of its own error; `rejects` and `resolves` throw plain errors.
const byAssertion =
  /^(?:AssertionError|Error: Property failed after|Error: .*(?:promise (?:resolved|rejected) .* instead of |expected .* to ))/m;

// The first is what Vitest reports of a test whose time is over.
const byWaiting = /^Error: (?:STACK_TRACE_ERROR|Test timed out|It did not become so)/m;

function firstLine(text) {
  return (
    text
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.slice(0, 160) ?? "nothing was printed"
  );
}
