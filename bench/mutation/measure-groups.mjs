import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { root } from "../../scripts/lib/files.mjs";
import { readResult } from "../lib/results.mjs";
import { findTypeErrors } from "./check-types.mjs";
import { drawMutants } from "./draw-mutants.mjs";
import { loadGroups, testsOfPackages } from "./groups.mjs";
import { tryMutants } from "./try-mutants.mjs";

/** Two tables: the share that was killed in each group, and the survivors. What is kept of groups that are not measured now stays. */
export async function measureGroups({ names, count, seed, own, under, list, keep, workers = availableParallelism() }) {
  if (!Number.isInteger(count) || count < 1) throw new Error("--count must be a whole number above 0.");
  if (keep && under !== undefined) throw new Error("--keep is for whole groups: leave out --under.");
  const head = git("rev-parse", "--short=12", "HEAD");
  const chosen = seed ?? head.slice(0, 8);
  const commit = git("status", "--porcelain", "--", "packages") === "" ? head : `${head} and changes`;
  const groups = loadGroups(names).map((group) => ({ ...group, sources: group.sources.filter((file) => file.includes(under ?? "")) }));
  const { outcomes, failing, unclear } = await measure(groups, { count, seed: chosen, own, workers });
  const rejected = findTypeErrors(outcomes.filter(isAlive));
  const [shares, survivors] = [[], []];
  for (const group of groups) {
    const ofGroup = outcomes.filter((mutant) => mutant.group === group.name);
    shares.push(shareOf(group, ofGroup, { rejected, commit, seed: chosen }));
    survivors.push(...ofGroup.filter(isAlive).map((mutant) => survivorOf(mutant, rejected)));
  }
  for (const name of failing) log(`fails without a mutant: ${name}`);
  for (const { id, unclear: test } of unclear) log(`${id}: not clear, ${test} fails without it afterwards`);
  if (list) for (const mutant of outcomes.filter(isAlive)) log(describe(mutant));
  const kept = keep ? readResult("mutation")?.tables : undefined;
  return [
    { caption, columns: shareColumns, rows: merge(kept?.[0]?.rows, shares) },
    { caption: "Survivors", columns: survivorColumns, rows: merge(kept?.[1]?.rows, survivors, new Set(shares.map(([name]) => name))) },
  ];
}

const caption = "Mutants that a test notices";
const shareColumns = [
  "group",
  "mutants",
  "killed",
  "survived",
  "not reached",
  "types notice",
  "share",
  "target",
  "commit",
  "seed",
  "verdict",
];
const survivorColumns = ["group", "place", "kind", "change", "reached", "types"];

async function measure(groups, { count, seed, own, workers }) {
  const mutants = groups.flatMap(({ name, sources }) => drawMutants(root, sources, { count, seed, group: name }));
  const tests = own ? [...new Set(groups.flatMap((group) => group.tests))] : testsOfPackages();
  log(`${mutants.length} mutants with seed ${seed}, ${tests.length} test files …`);
  const started = Date.now();
  const measured = await tryMutants({ root, isToolrack: true, mutants, tests, workers, log });
  log(`${Math.round((Date.now() - started) / 1_000)} s`);
  return measured;
}

const isAlive = ({ killedBy }) => killedBy === undefined;

function shareOf({ name, target }, outcomes, { rejected, commit, seed }) {
  const alive = outcomes.filter(isAlive);
  const killed = outcomes.length - alive.length;
  const share = (100 * killed) / outcomes.length;
  const notReached = alive.filter(({ reached }) => !reached);
  const byTypes = alive.filter(({ id }) => rejected.has(id));
  return [
    name,
    ...[outcomes.length, killed, alive.length, notReached.length, byTypes.length].map(String),
    `${share.toFixed(1)} %`,
    `≥ ${target} %`,
    commit,
    seed,
    share >= target ? "ok" : "over",
  ];
}

function survivorOf(mutant, rejected) {
  const { id, group, file, line, operator, original, replacement, reached } = mutant;
  return [
    group,
    `${file.replace(/^packages\//, "")}:${line}`,
    operator,
    `${oneLine(original)} → ${oneLine(replacement)}`,
    reached ? "yes" : "no",
    rejected.has(id) ? "notice" : "",
  ];
}

function describe({ file, line, original, replacement, operator, reached }) {
  return `\n${file}:${line} (${operator}${reached ? "" : ", reached by no test"})\n${original.replace(/^/gm, "- ")}\n${replacement.replace(/^/gm, "+ ")}`;
}

function oneLine(text) {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** The new rows, after those kept of other groups. */
function merge(kept = [], rows, measured = new Set(rows.map(([name]) => name))) {
  return [...kept.filter(([name]) => !measured.has(name)), ...rows];
}

const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

const log = (text) => process.stderr.write(`${text}\n`);
