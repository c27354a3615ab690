import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runPlan } from "./run-plan.mjs";

/**
 * Runs the test files once, then again for every mutant that they reach, cheapest first, until a test fails:
 * `{ outcomes: [{ ...mutant, killedBy?, how?, reached }], failing }`. `failing` names tests that fail without a mutant; they kill nothing.
 */
export async function tryMutants({ root, isToolrack = false, mutants, tests, workers = 1, log = () => {} }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolrack-mutation-")));
  try {
    const plan = { root, isToolrack, mutants, workers, durations: {} };
    const looks = (await runPlan(folder, { ...plan, tests })).filter(({ kind }) => kind === "look");
    log(`${looks.length} test files, ${looks.reduce((sum, look) => sum + look.tests.length, 0)} tests`);
    const tries = planTries(mutants, looks);
    const durations = Object.fromEntries(looks.flatMap((look) => look.tests.map(({ id, ms }) => [id, ms])));
    const cost = new Map(looks.map((look) => [look.file, look.tests.reduce((sum, { ms }) => sum + ms, 0)]));
    const inOrder = Object.keys(tries).toSorted((a, b) => cost.get(a) - cost.get(b));
    const results = await runPlan(folder, { ...plan, durations, tries, tests: inOrder });
    const killed = new Map(results.filter(({ killedBy }) => killedBy !== undefined).map((result) => [result.id, result]));
    const reached = new Set(Object.values(tries).flatMap((attempts) => attempts.map(({ id }) => id)));
    return {
      outcomes: mutants.map((mutant) => {
        const { killedBy, how, file: test } = killed.get(mutant.id) ?? {};
        return { ...mutant, reached: reached.has(mutant.id), ...(killedBy !== undefined && { killedBy, how, test }) };
      }),
      failing: looks.flatMap(({ file, problem, tests: own }) => [
        ...(problem === undefined ? [] : [`${file}: ${problem}`]),
        ...own.filter(({ passed }) => !passed).map(({ name }) => `${file}: ${name}`),
      ]),
      unclear: results.filter(({ unclear }) => unclear !== undefined),
    };
  } finally {
    if (process.env["MUTATION_KEEP"] === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** For each test file `[{ id, tests, reload }]`: the mutants that it might notice, and by which of its tests. */
export function planTries(mutants, looks) {
  const atLoad = new Set(looks.flatMap(({ reached }) => Object.keys(reached).filter((id) => reached[id].includes("load"))));
  const tries = {};
  for (const look of looks) {
    const attempts = mutants
      .filter(({ atLoad: isStatic }) => !isStatic)
      .map(({ id }) => ({ id, tests: passing(look, look.reached[id]), reload: false }))
      .filter(({ tests }) => tests.length > 0);
    if (attempts.length > 0) tries[look.file] = attempts;
  }
  // What is evaluated when a file is loaded needs its modules anew, and is reached by whatever uses that file.
  for (const { id, file, atLoad: isStatic } of mutants) {
    if (!isStatic && !atLoad.has(id)) continue;
    for (const { look, tests } of usersOf(file, looks)) (tries[look.file] ??= []).push({ id, tests, reload: true });
  }
  return tries;
}

/** The nearest test files that use a source file; where none calls a function of it, the nearest of all. */
function usersOf(file, looks) {
  const users = looks.map((look) => ({ look, tests: passing(look, look.used[file]) })).filter(({ tests }) => tests.length > 0);
  const all = looks.map((look) => ({ look, tests: passing(look, ["file"]) })).filter(({ tests }) => tests.length > 0);
  return (users.length > 0 ? users : all)
    .map((user) => ({ ...user, distance: distance(file, user.look.file), ms: user.look.tests.reduce((sum, { ms }) => sum + ms, 0) }))
    .toSorted((a, b) => a.distance - b.distance || a.ms - b.ms)
    .slice(0, mostUsers);
}

const mostUsers = 12;

/** Tests that take seconds of CPU are not run again for each mutant: what they alone would notice counts as not noticed. */
function passing({ tests }, places = []) {
  const isWhole = places.includes("file");
  const isUsable = ({ id, passed, cpuMs }) => passed && cpuMs <= mostCpuMs && (isWhole || places.includes(id));
  return tests.filter(isUsable).map(({ id }) => id);
}

const mostCpuMs = 3_000;

/** "packages/core/src/policy/a.ts" is nearest to "packages/core/test/policy/a.test.ts". */
function distance(file, test) {
  const [source, other] = [file, test].map((path) =>
    path.replace(/\/(?:src|test)\//, "/").replace(/(?:\.alone)?(?:\.test)?\.[mc]?[jt]s$/, ""),
  );
  const [a, b] = [source.split("/"), other.split("/")];
  let common = 0;
  while (common < a.length && a[common] === b[common]) common++;
  return a.length + b.length - 2 * common;
}
