import { ToolInputError } from "@toolrack/core";
import { type EndedLine, fromEndedLines, newLineEnding, toEndedLines } from "../workspace/lines.ts";
import { describeNearest } from "../workspace/nearest.ts";
import type { PatchHunk } from "./_patch.ts";

/** Applies the hunks in order. Unchanged lines stay byte for byte; new ones get the line ending of the file. */
export function applyHunks(text: string, hunks: readonly PatchHunk[], path: string): string {
  const lines = toEndedLines(text);
  const ending = newLineEnding(text);
  const search: Search = { lines, folded: [], left: maxCompared };
  const result: EndedLine[] = [];
  let done = 0;
  for (const hunk of hunks) {
    const start = findHunk(search, hunk, done, path);
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

/** The lines of a file, folded in each way, and how many of them may still be compared. */
interface Search {
  readonly lines: readonly EndedLine[];
  readonly folded: (readonly string[] | undefined)[];
  left: number;
}

/** Enough for every patch that people write. A file and a patch that repeat one line would otherwise take the product of both. */
const maxCompared = 20_000_000;

type Fold = (line: string) => string;

/** Exactly, if possible; else with spaces at the ends aside, at last with indentation aside. */
const foldings: readonly Fold[] = [(line) => line, (line) => line.trimEnd(), (line) => line.trim()];

/** Where the hunk belongs, at or behind `from`. */
function findHunk(search: Search, hunk: PatchHunk, from: number, path: string): number {
  const { lines } = search;
  let start = from;
  for (const anchor of hunk.anchors) {
    const found = findLines(search, [anchor], start, false, path);
    if (found === undefined) throw notFound(`the line ${JSON.stringify(anchor.slice(0, 100))} was`, lines, anchor, hunk, path);
    start = found + 1;
  }
  const old = hunk.lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);
  if (old.length === 0) return hunk.anchors.length === 0 || hunk.isAtEnd ? lines.length : start;
  const found = findLines(search, old, start, hunk.isAtEnd, path);
  if (found === undefined) throw notFound("its lines were", lines, old.join("\n"), hunk, path);
  return found;
}

function findLines(search: Search, old: readonly string[], from: number, isAtEnd: boolean, path: string): number | undefined {
  const { lines, folded } = search;
  const last = lines.length - old.length;
  for (const [level, fold] of foldings.entries()) {
    const wanted = old.map(fold);
    const there = (folded[level] ??= lines.map(({ text }) => fold(text)));
    for (let start = isAtEnd ? Math.max(from, last) : from; start <= last; start++) {
      let matched = 0;
      while (matched < wanted.length && there[start + matched] === wanted[matched]) matched++;
      search.left -= matched + 1;
      if (search.left < 0)
        throw new ToolInputError(`${path}: the patch has too many parts for a file of ${lines.length} lines. Make several calls.`);
      if (matched === wanted.length) return start;
    }
  }
  return undefined;
}

function notFound(what: string, lines: readonly EndedLine[], wanted: string, hunk: PatchHunk, path: string): ToolInputError {
  const text = lines.map((line) => line.text).join("\n");
  return new ToolInputError(
    `${path}: ${what} not found for the part in line ${hunk.patchLine} of the patch.${describeNearest(text, wanted)}`,
  );
}
