import { ToolInputError } from "@toolrack/core";

/** One file of a patch. */
export type PatchSection =
  | { readonly kind: "add"; readonly path: string; readonly lines: readonly string[] }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "update"; readonly path: string; readonly moveTo: string | undefined; readonly hunks: readonly PatchHunk[] };

export interface PatchHunk {
  /** Lines that come before the hunk, each behind the one before it: "class Shop", "function open()". */
  readonly anchors: readonly string[];
  readonly lines: readonly PatchLine[];
  /** Whether the hunk ends where the file does. */
  readonly isAtEnd: boolean;
  /** The line of the hunk in the patch, for messages. */
  readonly patchLine: number;
}

export interface PatchLine {
  readonly kind: "keep" | "remove" | "add";
  readonly text: string;
}

const maxSections = 200;

/** Reads the text between "*** Begin Patch" and "*** End Patch". Throws with the number of the line that is wrong. */
export function parsePatch(patch: string): readonly PatchSection[] {
  const lines = patch.trim().split(/\r?\n/);
  const reader: Reader = { lines, at: 0 };
  if (lines[reader.at++]?.trim() !== "*** Begin Patch") throw wrong(1, 'the patch must begin with the line "*** Begin Patch"');
  const sections: PatchSection[] = [];
  while (reader.at < lines.length) {
    const line = lines[reader.at]!;
    if (line.trim() === "*** End Patch") {
      if (reader.at !== lines.length - 1) throw wrong(reader.at + 2, 'there is text behind "*** End Patch"');
      if (sections.length === 0) throw wrong(2, "the patch changes nothing");
      return sections;
    }
    if (sections.length === maxSections) throw wrong(reader.at + 1, `the patch has more than ${maxSections} files; make several calls`);
    sections.push(readSection(reader));
  }
  throw wrong(lines.length, 'the patch must end with the line "*** End Patch"');
}

interface Reader {
  readonly lines: readonly string[];
  at: number;
}

function wrong(line: number, fact: string): ToolInputError {
  return new ToolInputError(`Line ${line} of the patch: ${fact}.`);
}

function readSection(reader: Reader): PatchSection {
  const line = reader.lines[reader.at++]!;
  const path = (marker: string): string | undefined => (line.startsWith(marker) ? line.slice(marker.length).trim() : undefined);
  const [added, deleted, updated] = [path("*** Add File: "), path("*** Delete File: "), path("*** Update File: ")];
  if ([added, deleted, updated].includes("")) throw wrong(reader.at, "the path is missing");
  if (deleted !== undefined) return { kind: "delete", path: deleted };
  if (added !== undefined) return { kind: "add", path: added, lines: readAdded(reader) };
  if (updated !== undefined) return readUpdate(reader, updated);
  throw wrong(
    reader.at,
    `expected "*** Add File: ", "*** Update File: ", "*** Delete File: " or "*** End Patch", and found ${JSON.stringify(line.slice(0, 60))}`,
  );
}

function readAdded(reader: Reader): string[] {
  const lines: string[] = [];
  for (; reader.at < reader.lines.length && !isMarker(reader.lines[reader.at]!); reader.at++) {
    const line = reader.lines[reader.at]!;
    if (!line.startsWith("+")) throw wrong(reader.at + 1, 'every line of a new file must begin with "+"');
    lines.push(line.slice(1));
  }
  return lines;
}

function readUpdate(reader: Reader, path: string): PatchSection {
  const moved = reader.lines[reader.at]?.startsWith("*** Move to: ")
    ? reader.lines[reader.at++]!.slice("*** Move to: ".length).trim()
    : undefined;
  if (moved === "") throw wrong(reader.at, "the path is missing");
  const hunks: PatchHunk[] = [];
  while (reader.at < reader.lines.length && !isMarker(reader.lines[reader.at]!)) hunks.push(readHunk(reader));
  if (hunks.length === 0 && moved === undefined) throw wrong(reader.at, `nothing is changed in ${JSON.stringify(path)}`);
  return { kind: "update", path, moveTo: moved, hunks };
}

function readHunk(reader: Reader): PatchHunk {
  const patchLine = reader.at + 1;
  const anchors: string[] = [];
  for (; reader.lines[reader.at]?.startsWith("@@"); reader.at++) {
    const anchor = reader.lines[reader.at]!.slice(2).trim();
    // "@@ -1,3 +1,4 @@" is the head of another format, whose numbers are not used here.
    if (anchor !== "" && !/^-\d+(,\d+)? \+\d+(,\d+)? @@/.test(anchor)) anchors.push(anchor);
  }
  const lines: PatchLine[] = [];
  let isAtEnd = false;
  for (; reader.at < reader.lines.length; reader.at++) {
    const line = reader.lines[reader.at]!;
    if (line.trim() === "*** End of File") {
      isAtEnd = true;
      reader.at++;
      break;
    }
    if (line.startsWith("@@") || isMarker(line)) break;
    lines.push(toPatchLine(line, reader.at + 1));
  }
  if (!lines.some(({ kind }) => kind !== "keep")) throw wrong(patchLine, "this part changes nothing");
  return { anchors, lines, isAtEnd, patchLine };
}

function toPatchLine(line: string, number: number): PatchLine {
  const text = line.slice(1);
  if (line === "" || line.startsWith(" ")) return { kind: "keep", text };
  if (line.startsWith("-")) return { kind: "remove", text };
  if (line.startsWith("+")) return { kind: "add", text };
  throw wrong(number, `a line must begin with " ", "-" or "+", and this one is ${JSON.stringify(line.slice(0, 60))}`);
}

function isMarker(line: string): boolean {
  return line.startsWith("*** ") && line.trim() !== "*** End of File";
}
