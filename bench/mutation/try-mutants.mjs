import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyOf, lookAtTests } from "./look.mjs";
import { runPlan } from "./run-plan.mjs";

/**
 * Runs the test files once, then again for every mutant that they reach, cheapest first, until a test fails:
 * `{ outcomes: [{ ...mutant, killedBy?, how?, reached }], failing, unclear }`. `failing` names tests that fail without a mutant; they kill
 * nothing.
 */
export async function tryMutants({ root, isToolrack = false, sources, mutants, tests, workers = 1, cache, log = () => {} }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolrack-mutation-")));
  try {
    const looks = await lookAtTests(folder, { root, isToolrack, sources, tests, workers, cache });
    log(`${looks.length} test files, ${looks.reduce((sum, look) => sum + look.tests.length, 0)} tests`);
    const tries = planTries(mutants, looks);
    const durations = Object.fromEntries(looks.flatMap((look) => look.tests.map(({ id, ms }) => [id, ms])));
    const cost = new Map(looks.map((look) => [look.file, costOf(look)]));
    const inOrder = Object.keys(tries).toSorted((a, b) => cost.get(a) - cost.get(b));
    const inFiles = {};
    for (const mutant of mutants) (inFiles[mutant.file] ??= { mutants: [] }).mutants.push(mutant);
    const results = await runPlan(folder, { root, isToolrack, workers, sources: inFiles, durations, tries, tests: inOrder });
    const killed = new Map(results.filter(({ killedBy }) => killedBy !== undefined).map((result) => [result.id, result]));
    const reached = new Set(Object.values(tries).flatMap((attempts) => attempts.map(({ id }) => id)));
    return {
      outcomes: mutants.map((mutant) => {
        const { killedBy, how, file: test } = killed.get(mutant.id) ?? {};
        return { ...mutant, reached: reached.has(mutant.id), ...(killedBy !== undefined && { killedBy, how, test }) };
      }),
      failing: looks.flatMap(({ file, problem, tests: own }) => [
        ...(problem === undefined ? [] : [`${file}: ${problem}`]),
        ...own.filter(({ passed }) => !passed).map(({ name }) => name),
      ]),
      unclear: results.filter(({ unclear }) => unclear !== undefined),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** For each test file `[{ id, tests, reload }]`: the mutants that it might notice, and by which of its tests. */
function planTries(mutants, looks) {
  const tries = {};
  const plan = (look, attempt) => (tries[look.file] ??= []).push(attempt);
  for (const mutant of mutants) {
    const { id, file } = mutant;
    const key = keyOf(mutant);
    if (!mutant.atLoad) for (const { look, tests } of reaching(key, looks)) plan(look, { id, tests, reload: false });
    // What is evaluated when a file is loaded needs its modules anew, and is reached by whatever uses that file.
    if (mutant.atLoad || looks.some(({ atLoad }) => atLoad.has(key)))
      for (const { look, tests } of nearestUsers(file, looks)) plan(look, { id, tests, reload: true });
  }
  return tries;
}

/** The test files with tests that reach a key, and those tests. */
function reaching(key, looks) {
  const isReached = (look) => (test) => test.reached.has(key) || look.between.has(key);
  return looks.map((look) => ({ look, tests: usable(look, isReached(look)) })).filter(({ tests }) => tests.length > 0);
}

/** The nearest test files that use a source file; where none calls a function of it, the nearest of all. */
function nearestUsers(file, looks) {
  const users = reaching(file, looks);
  const all = looks.map((look) => ({ look, tests: usable(look, () => true) })).filter(({ tests }) => tests.length > 0);
  return (users.length > 0 ? users : all)
    .map((user) => ({ ...user, distance: distance(file, user.look.file), cost: costOf(user.look) }))
    .toSorted((a, b) => a.distance - b.distance || a.cost - b.cost)
    .slice(0, mostUsers);
}

const mostUsers = 12;

/** Tests that take seconds of CPU are not run again for each mutant: what they alone would notice counts as not noticed. */
function usable({ tests }, isWanted) {
  return tests.filter((test) => test.passed && test.cpuMs <= mostCpuMs && isWanted(test)).map(({ id }) => id);
}

const mostCpuMs = 3_000;

const costOf = ({ tests }) => tests.reduce((sum, { ms }) => sum + ms, 0);

/** "packages/core/src/policy/a.ts" is nearest to "packages/core/test/policy/a.test.ts". */
function distance(file, test) {
  const plain = (path) => path.replace(/\/(?:src|test)\//, "/").replace(/(?:\.alone)?(?:\.test)?\.[mc]?[jt]s$/, "");
  const [a, b] = [plain(file).split("/"), plain(test).split("/")];
  let common = 0;
  while (common < a.length && a[common] === b[common]) common++;
  return a.length + b.length - 2 * common;
}
