import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findMutants, isProgram } from "./find-mutants.mjs";

/**
 * `count` mutants of the files, by chance alone: every line that can be changed is equally likely, and so is every change of a line.
 * One line gives a second mutant only when each has given one. The same seed draws the same mutants.
 */
export function drawMutants(folder, files, { count, seed, group }) {
  const lines = files.flatMap((file) => linesOf(folder, file));
  const random = createRandom(`${seed} ${group}`);
  const drawn = [];
  while (drawn.length < count && lines.length > 0) {
    for (const line of shuffle(lines, random)) {
      const mutant = line.mutants.splice(Math.floor(random() * line.mutants.length), 1)[0];
      if (!isProgram(mutant.file, applyMutant(line.text, mutant))) continue;
      drawn.push({ id: `${group}#${drawn.length + 1}`, group, ...mutant });
      if (drawn.length === count) break;
    }
    lines.splice(0, lines.length, ...lines.filter(({ mutants }) => mutants.length > 0));
  }
  return drawn;
}

export function applyMutant(text, { start, end, replacement, prefix = "" }) {
  return `${text.slice(0, start)}${prefix}(${replacement})${text.slice(end)}`;
}

function linesOf(folder, file) {
  const text = readFileSync(join(folder, file), "utf8");
  const byLine = new Map();
  for (const mutant of findMutants(file, text)) {
    if (!byLine.has(mutant.line)) byLine.set(mutant.line, { text, mutants: [] });
    byLine.get(mutant.line).mutants.push({ file, ...mutant });
  }
  return [...byLine.values()];
}

function shuffle(values, random) {
  const shuffled = [...values];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
  }
  return shuffled;
}

/** Numbers from 0 up to 1 that only depend on the seed. */
function createRandom(seed) {
  let turn = 0;
  return () => createHash("sha256").update(`${seed} ${turn++}`).digest().readUInt32BE(0) / 2 ** 32;
}
