import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * Runs the test files of a plan by Vitest in a process of its own, again without those that are done when a mutant ended or stopped it.
 * Answers what its runner wrote, as objects; `log` is told once a minute how far it is.
 */
export async function runPlan(folder, plan, log) {
  const results = join(folder, `results-${plan.tries === undefined ? "look" : "try"}.jsonl`);
  const progress = join(folder, "progress");
  writeFileSync(results, "");
  mkdirSync(progress, { recursive: true });
  let waiting = plan.tests;
  const timer = setInterval(() => log(`${countDone(results)} of ${plan.tests.length} test files`), 60_000);
  for (let run = 0; waiting.length > 0 && run < mostRuns; run++) {
    const file = join(folder, "plan.json");
    writeFileSync(file, JSON.stringify({ ...plan, here, results, progress, tests: waiting }));
    const output = await runVitest(plan.root, { planFile: file, tests: waiting }, () => endStuckWorkers(progress, results));
    noteCrashes(progress, results);
    const done = new Set(readLines(results).map((result) => (result.kind === "outcome" ? undefined : result.file)));
    const left = waiting.filter((name) => !done.has(name));
    if (left.length === waiting.length && run > 0 && readLines(results).length === 0)
      throw new Error(`Vitest ran no test:\n${output.slice(-2_000)}`);
    waiting = left;
  }
  clearInterval(timer);
  return readLines(results);
}

const countDone = (results) => readLines(results).filter(({ kind }) => kind !== "outcome").length;

const mostRuns = 12;

function runVitest(root, { planFile, tests }, look) {
  return new Promise((resolve) => {
    const chunks = [];
    const vitest = fileURLToPath(new URL("../vitest.mjs", import.meta.resolve("vitest")));
    const child = spawn(
      process.execPath,
      [vitest, "run", "--config", join(here, "vitest.config.mjs"), "--reporter=dot", "--no-color", ...tests],
      {
        cwd: root,
        env: { ...withoutVitest(process.env), CI: "1", MUTATION_PLAN: planFile },
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      },
    );
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => chunks.push(chunk));
    const timer = setInterval(look, 1_000);
    child.on("exit", () => {
      clearInterval(timer);
      // What a mutant left running.
      end(-child.pid);
      const output = Buffer.concat(chunks).toString("utf8");
      writeFileSync(planFile.replace(".json", ".log"), output);
      resolve(output);
    });
  });
}

/** A worker that has long passed the time it gave itself is stuck in the mutant that is on. */
function endStuckWorkers(progress, results) {
  for (const { pid, file, id, until } of readProgress(progress)) {
    if (Date.now() < until) continue;
    if (id !== undefined) noteKilled(progress, results, id, "does not end");
    rmSync(file, { force: true });
    end(pid);
  }
}

/** A worker that ended while a mutant was on was ended by it. */
function noteCrashes(progress, results) {
  for (const { file, id } of readProgress(progress)) {
    if (id !== undefined) noteKilled(progress, results, id, "ends the process");
    rmSync(file, { force: true });
  }
}

function noteKilled(progress, results, id, how) {
  writeFileSync(join(progress, `killed-${encodeURIComponent(id)}`), "");
  appendFileSync(results, `${JSON.stringify({ kind: "outcome", id, killedBy: how, how })}\n`);
}

function readProgress(progress) {
  return readdirSync(progress)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const file = join(progress, name);
      try {
        return [{ pid: Number.parseInt(name, 10), file, ...JSON.parse(readFileSync(file, "utf8")) }];
      } catch {
        // It is being written.
        return [];
      }
    });
}

function readLines(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text));
}

function end(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

/** What Vitest tells the processes of a run is not for those of another. */
function withoutVitest(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:VITEST|TEST$|NODE_ENV$)/.test(name)));
}
