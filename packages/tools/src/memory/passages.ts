/** A section of a document that is found and shown as one. */
export interface Passage {
  readonly text: string;
  /** The headings above it, the outermost first: "Garden › Roses". */
  readonly heading: string;
  /** Counted from 1. */
  readonly startLine: number;
  readonly endLine: number;
}

/** Divides a text at its headings, and long parts at empty lines. */
export function toPassages(text: string): readonly Passage[] {
  const lines = text.split(/\r\n|\r|\n/);
  const passages: Passage[] = [];
  const headings: string[] = [];
  let start = 0;
  let isCode = false;

  function close(end: number): void {
    const part = lines.slice(start, end).join("\n");
    if (part.trim() !== "")
      passages.push({ text: part, heading: headings.filter(Boolean).join(" › "), startLine: start + 1, endLine: end });
    start = end;
  }

  lines.forEach((line, index) => {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    const [, marks, title] = isCode ? [] : (/^(#{1,6})\s+(.{1,300})/.exec(line) ?? []);
    if (marks !== undefined) {
      close(index);
      headings.length = marks.length - 1;
      headings[marks.length - 1] = title!.replace(/\s#+\s*$/, "").trim();
    } else if (index - start >= longLines && (line.trim() === "" || index - start >= maxLines)) close(index);
  });
  close(lines.length);
  return passages;
}

const longLines = 20;
const maxLines = 60;
