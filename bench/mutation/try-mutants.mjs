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
export async function tryMutants({ root, isToolrack = false, mutants, tests, workers = 1, log = () => {} }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolrack-mutation-")));
  try {
    const looks = await lookAtTests(folder, { root, isToolrack, mutants, tests, workers, log });
    log(`${looks.length} test files, ${looks.reduce((sum, look) => sum + look.tests.length, 0)} tests`);
    const tries = planTries(mutants, looks);
    const durations = Object.fromEntries(looks.flatMap((look) => look.tests.map(({ id, ms }) => [id, ms])));
    const cost = new Map(looks.map((look) => [look.file, costOf(look)]));
    const inOrder = Object.keys(tries).toSorted((a, b) => cost.get(a) - cost.get(b));
    const inFiles = {};
    for (const mutant of mutants) (inFiles[mutant.file] ??= { mutants: [] }).mutants.push(mutant);
    const results = await runPlan(folder, { root, isToolrack, workers, sources: inFiles, durations, tries, tests: inOrder }, log);
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

/** For each test file `[{ id, tests, reload? }]`: the mutants that it might notice, by which of its tests, and what must be loaded anew. */
function planTries(mutants, looks) {
  const tries = {};
  for (const mutant of mutants) {
    const key = keyOf(mutant);
    // What is evaluated when a file is loaded needs its modules anew.
    const isLoaded = mutant.atLoad || looks.some(({ atLoad }) => atLoad.has(key));
    const attempts = [
      ...(mutant.atLoad ? [] : nearest(mutant, reaching(key, looks))),
      ...(isLoaded ? loading(mutant, looks).map((one) => ({ ...one, reload: mutant.file })) : []),
    ];
    for (const { look, ids, reload } of attempts) (tries[look.file] ??= []).push({ id: mutant.id, tests: ids, reload });
  }
  return tries;
}

/** The test files with tests that reach a key, and those tests. */
function reaching(key, looks) {
  return looks.map((look) => ({ look, tests: usable(look, (test) => test.reached.has(key) || look.between.has(key)) })).filter(hasTests);
}

/** Those that call a function of the mutant's file; then cheap ones, which may use what it exports without a call. */
function loading(mutant, looks) {
  const users = reaching(mutant.file, looks);
  const used = new Set(users.map(({ look }) => look));
  const others = looks.map((look) => ({ look, tests: usable(look, () => !used.has(look)) })).filter(hasTests);
  const cheap = others.filter(({ tests }) => tests.reduce((sum, { cpuMs }) => sum + cpuMs, 0) <= cheapCpuMs);
  return [...nearest(mutant, users), ...nearest(mutant, users.length > 0 ? cheap : others).slice(0, mostOthers)];
}

const cheapCpuMs = 1_500;
const mostOthers = 12;

const hasTests = ({ tests }) => tests.length > 0;

/** The tests whose files are nearest to the mutant's, and of a file the cheapest ones, up to some seconds of CPU. */
function nearest({ file }, users) {
  const inOrder = users
    .map((user) => ({ ...user, distance: distance(file, user.look.file), cpuMs: user.tests.reduce((sum, test) => sum + test.cpuMs, 0) }))
    .toSorted((a, b) => a.distance - b.distance || a.cpuMs - b.cpuMs);
  const chosen = [];
  let left = mostCpuMsOfMutant;
  for (const { look, tests } of inOrder) {
    const ids = [];
    for (const { id, cpuMs } of tests.toSorted((a, b) => a.cpuMs - b.cpuMs)) {
      if (left <= 0) break;
      ids.push(id);
      left -= cpuMs;
    }
    if (ids.length > 0) chosen.push({ look, ids });
  }
  return chosen;
}

const mostCpuMsOfMutant = 12_000;

/** Tests that take seconds of CPU are not run again for each mutant: what they alone would notice counts as not noticed. */
function usable({ tests }, isWanted) {
  return tests.filter((test) => test.passed && test.cpuMs <= mostCpuMs && isWanted(test));
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
