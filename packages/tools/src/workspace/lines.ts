/** How the lines of a text end; "mixed" where they do not agree, "\n" where there are none. */
export type LineEnding = "\n" | "\r\n" | "mixed";

export function lineEndingOf(text: string): LineEnding {
  const all = count(text, "\n");
  const wide = count(text, "\r\n");
  return wide === 0 ? "\n" : wide === all ? "\r\n" : "mixed";
}

/** The lines without their ends. A newline at the end of a text ends its last line; it begins no other. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** A line and how it ends: "" for a last line that does not. */
export interface EndedLine {
  readonly text: string;
  readonly ending: "\n" | "\r\n" | "";
}

export function toEndedLines(text: string): EndedLine[] {
  const parts = text.split("\n");
  const last = parts.pop()!;
  const lines = parts.map((part): EndedLine =>
    part.endsWith("\r") ? { text: part.slice(0, -1), ending: "\r\n" } : { text: part, ending: "\n" },
  );
  return last === "" ? lines : [...lines, { text: last, ending: "" }];
}

/** The text of the lines. One that does not end, and is no longer the last, ends in the given way. */
export function fromEndedLines(lines: readonly EndedLine[], ending: "\n" | "\r\n"): string {
  return lines.map((line, index) => line.text + (line.ending === "" && index < lines.length - 1 ? ending : line.ending)).join("");
}

/** How new lines of a text should end. */
export function newLineEnding(text: string): "\n" | "\r\n" {
  return lineEndingOf(text) === "\r\n" ? "\r\n" : "\n";
}

/** Every line ended in the one way. */
export function withLineEnding(text: string, ending: "\n" | "\r\n"): string {
  return text.replaceAll(/\r?\n/g, ending);
}

/** A text in which every line ends in "\n", and the way back to places in the original. */
export interface PlainLines {
  readonly text: string;
  /** Where a place of the plain text is in the original. */
  toOriginal(offset: number): number;
}

/** "a\r\nb" → "a\nb", in which position 2 is position 3 of the original. */
export function toPlainLines(original: string): PlainLines {
  const dropped: number[] = []; // in the plain text, the places of the "\n" that had a "\r" before them
  const text = original.replaceAll(/\r\n/g, (_, at: number) => {
    dropped.push(at - dropped.length);
    return "\n";
  });
  return { text, toOriginal: (offset) => offset + countBelow(dropped, offset) };
}

function countBelow(sorted: readonly number[], value: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found++;
  return found;
}
