import { ToolInputError } from "@toolrack/core";
import { type EndedLine, fromEndedLines, newLineEnding, toEndedLines } from "../workspace/lines.ts";
import { describeNearest } from "../workspace/nearest.ts";
import type { PatchHunk } from "./_patch.ts";

/** Applies the hunks one behind the other. Lines that are kept stay byte for byte; new ones end as the file's lines do. */
export function applyHunks(text: string, hunks: readonly PatchHunk[], path: string): string {
  const lines = toEndedLines(text);
  const ending = newLineEnding(text);
  const result: EndedLine[] = [];
  let done = 0;
  for (const hunk of hunks) {
    const start = findHunk(lines, hunk, done, path);
    result.push(...lines.slice(done, start));
    done = start;
    for (const { kind, text: added } of hunk.lines) {
      if (kind === "add") result.push({ text: added, ending });
      else if (kind === "keep") result.push(lines[done++]!);
      else done++;
    }
  }
  result.push(...lines.slice(done));
  return fromEndedLines(result, ending);
}

/** Where the hunk belongs, at or behind `from`: exactly if possible, else with spaces, at last with indentation and quotes aside. */
function findHunk(lines: readonly EndedLine[], hunk: PatchHunk, from: number, path: string): number {
  const old = hunk.lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);
  let start = from;
  for (const anchor of hunk.anchors) {
    const found = foldings
      .map((fold) => lines.findIndex((line, index) => index >= start && fold(line.text) === fold(anchor)))
      .find((at) => at !== -1);
    if (found === undefined) throw notFound(`the line ${JSON.stringify(anchor.slice(0, 100))} was`, lines, anchor, hunk, path);
    start = found + 1;
  }
  if (old.length === 0) return hunk.anchors.length === 0 || hunk.isAtEnd ? lines.length : start;
  for (const fold of foldings) {
    const found = findSequence(lines, old, start, hunk.isAtEnd, fold);
    if (found !== undefined) return found;
  }
  throw notFound("its lines were", lines, old.join("\n"), hunk, path);
}

type Fold = (line: string) => string;

const foldings: readonly Fold[] = [(line) => line, (line) => line.trimEnd(), (line) => line.trim()];

function findSequence(lines: readonly EndedLine[], old: readonly string[], from: number, isAtEnd: boolean, fold: Fold): number | undefined {
  const wanted = old.map(fold);
  const last = lines.length - wanted.length;
  for (let start = isAtEnd ? Math.max(from, last) : from; start <= last; start++) {
    if (wanted.every((line, index) => fold(lines[start + index]!.text) === line)) return start;
  }
  return undefined;
}

function notFound(what: string, lines: readonly EndedLine[], wanted: string, hunk: PatchHunk, path: string): ToolInputError {
  const text = lines.map((line) => line.text).join("\n");
  return new ToolInputError(
    `${path}: ${what} not found for the part in line ${hunk.patchLine} of the patch.${describeNearest(text, wanted)}`,
  );
}
