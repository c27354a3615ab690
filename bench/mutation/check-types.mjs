import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createScratch } from "../defences/scratch.mjs";
import { applyMutant } from "./draw-mutants.mjs";

/** The ids of those mutants that the compiler of types refuses in their own file. They count as survivors all the same. */
export function findTypeErrors(mutants) {
  if (mutants.length === 0) return new Set();
  const scratch = createScratch();
  try {
    return new Set(toRounds(mutants).flatMap((round) => refused(scratch.root, round)));
  } finally {
    scratch.remove();
  }
}

/** One mutant of a file at a time, of as many files as there are. */
function toRounds(mutants) {
  const rounds = [];
  for (const mutant of mutants) {
    const free = rounds.find((round) => round.every(({ file }) => file !== mutant.file));
    if (free === undefined) rounds.push([mutant]);
    else free.push(mutant);
  }
  return rounds;
}

function refused(folder, round) {
  const before = round.map(({ file }) => readFileSync(join(folder, file), "utf8"));
  round.forEach((mutant, index) => writeFileSync(join(folder, mutant.file), applyMutant(before[index], mutant)));
  const packages = [...new Set(round.map(({ file }) => file.split("/").slice(0, 2).join("/")))];
  const tsc = join(folder, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-b", ...packages, "--pretty", "false"], { cwd: folder, encoding: "utf8" });
  round.forEach(({ file }, index) => writeFileSync(join(folder, file), before[index]));
  const errors = stdout.split("\n").filter((line) => line.includes(": error TS"));
  return round.filter(({ file }) => errors.some((line) => line.startsWith(`${file}(`))).map(({ id }) => id);
}
