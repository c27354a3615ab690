import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { listFiles } from "../../scripts/lib/files.mjs";
import { findMutants } from "./find-mutants.mjs";
import { runPlan } from "./run-plan.mjs";

/**
 * Runs every test file once, without a mutant, and answers what its tests reach:
 * `[{ file, problem, tests: [{ id, name, passed, ms, cpuMs, reached }], atLoad, between }]`, with keys of `keyOf` and names of source files.
 * With `cache`, a file, what is known of test files that are as they were is not found out again while all that they import is as it was.
 */
export async function lookAtTests(folder, { root, isToolrack, sources, tests, workers, cache }) {
  const keys = [];
  const inFiles = Object.fromEntries(sources.map((file) => [file, probesOf(root, file, keys)]));
  const hash = hashOf(root, isToolrack ? otherFiles(root) : sources);
  const known = cache === undefined ? new Map() : readCache(cache, hash);
  const hashes = new Map(tests.map((file) => [file, hashOf(root, [file])]));
  const isKnown = (file) => known.get(file)?.hash === hashes.get(file);
  const missing = tests.filter((file) => !isKnown(file));
  const results = await runPlan(folder, { root, isToolrack, workers, sources: inFiles, durations: {}, tests: missing });
  for (const look of results.filter(({ kind }) => kind === "look")) known.set(look.file, { hash: hashes.get(look.file), look });
  if (cache !== undefined) writeCache(cache, hash, known);
  return tests.flatMap((file) => (known.has(file) ? [withNames(known.get(file).look, keys)] : []));
}

export const keyOf = ({ file, start, end }) => `${file}:${start}-${end}`;

/** Every place of a file that a mutant could change, and the file itself, by their numbers in `keys`. */
function probesOf(root, file, keys) {
  const mutants = new Map();
  for (const { start, end, prefix } of findMutants(file, readFileSync(join(root, file), "utf8"))) {
    const key = keyOf({ file, start, end });
    if (!mutants.has(key)) mutants.set(key, { id: keys.push(key) - 1, start, end, prefix, replacement: "undefined" });
    else if (prefix !== undefined) mutants.get(key).prefix = prefix;
  }
  return { mutants: [...mutants.values()], fileId: keys.push(file) - 1 };
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

/** All that tests may import but themselves. */
function otherFiles(root) {
  return listFiles(root, "packages").filter((file) => /\.[cm]?[jt]sx?$/.test(file) && !/\.test\.[cm]?[jt]s$/.test(file));
}

function hashOf(root, files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

function readCache(file, hash) {
  try {
    const cached = JSON.parse(readFileSync(file, "utf8"));
    return new Map(cached.hash === hash ? cached.known : []);
  } catch {
    return new Map();
  }
}

/** A test that failed may have failed by chance. */
function writeCache(file, hash, known) {
  mkdirSync(dirname(file), { recursive: true });
  const sound = [...known].filter(([, { look }]) => look.problem === undefined && look.tests.every(({ passed }) => passed));
  writeFileSync(file, JSON.stringify({ hash, known: sound }));
}
