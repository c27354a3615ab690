import { runPlan } from "./run-plan.mjs";

/**
 * Runs every test file once, without a mutant, and answers which of the mutants its tests reach:
 * `[{ file, problem, tests: [{ id, name, passed, ms, cpuMs, reached }], atLoad, between }]`, with keys of `keyOf` and names of source files.
 */
export async function lookAtTests(folder, { root, isToolrack, mutants, tests, workers, log }) {
  const keys = [];
  const files = [...new Set(mutants.map(({ file }) => file))];
  const sources = Object.fromEntries(files.map((file) => [file, probesOf(file, mutants, keys)]));
  const results = await runPlan(folder, { root, isToolrack, workers, sources, durations: {}, tests }, log);
  return results.filter(({ kind }) => kind === "look").map((look) => withNames(look, keys));
}

export const keyOf = ({ file, start, end }) => `${file}:${start}-${end}`;

/** Every place of a file that a mutant changes, and the file itself, by their numbers in `keys`. */
function probesOf(file, mutants, keys) {
  const probes = new Map();
  for (const mutant of mutants.filter((one) => one.file === file)) {
    const { start, end, prefix } = mutant;
    const key = keyOf(mutant);
    if (!probes.has(key)) probes.set(key, { id: keys.push(key) - 1, start, end, prefix, replacement: "undefined" });
    else if (prefix !== undefined) probes.get(key).prefix = prefix;
  }
  return { mutants: [...probes.values()], fileId: keys.push(file) - 1 };
}

function withNames({ tests, atLoad, between, ...look }, keys) {
  const named = (numbers) => new Set(numbers.map((number) => keys[number]));
  return {
    ...look,
    tests: tests.map((test) => ({ ...test, reached: named(test.reached) })),
    atLoad: named(atLoad),
    between: named(between),
  };
}
