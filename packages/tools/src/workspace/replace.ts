import { ToolInputError } from "@toolrack/core";
import { occurrencesOf } from "./find-text.ts";
import { newLineEnding, toPlainLines, withLineEnding } from "./lines.ts";
import { describeNearest } from "./nearest.ts";

/** One exact replacement. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  /** Whether every occurrence is meant; otherwise there must be exactly one. @default false */
  readonly replaceAll?: boolean | undefined;
}

export interface EditedText {
  readonly text: string;
  readonly replacements: number;
  /** The line of the first replacement, from 1. */
  readonly firstLine: number;
}

/**
 * Applies every edit to the text as it was, or throws and applies none. The end of a line matches however it is written, and what
 * is put in ends its lines as the place it is put in does.
 */
export function applyEdits(original: string, edits: readonly TextEdit[], name: string): EditedText {
  const plain = toPlainLines(original);
  const spans = edits.flatMap((edit, index) => spansOf(plain.text, edit, edits.length === 1 ? name : `${name}, edit ${index + 1}`));
  spans.sort((a, b) => a.from - b.from);
  const clash = spans.find((span, index) => index > 0 && span.from < spans[index - 1]!.to);
  if (clash !== undefined) {
    throw new ToolInputError(`${name}: two edits overlap in line ${lineAt(plain.text, clash.from)}. Make one edit of them.`);
  }
  const common = newLineEnding(original);
  let text = "";
  let done = 0;
  for (const { from, to, newText } of spans) {
    const [start, end] = [plain.toOriginal(from), plain.toOriginal(to)];
    text += original.slice(done, start) + withLineEnding(newText, endingNear(original, start, common));
    done = end;
  }
  return { text: text + original.slice(done), replacements: spans.length, firstLine: lineAt(plain.text, spans[0]?.from ?? 0) };
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly newText: string;
}

const maxReplacements = 100_000;

function spansOf(text: string, { oldText, newText, replaceAll = false }: TextEdit, name: string): Span[] {
  const wanted = toPlainLines(oldText).text;
  if (wanted === "") throw new ToolInputError(`${name}: the text to replace is empty. Give the text as it is in the file.`);
  if (wanted === toPlainLines(newText).text)
    throw new ToolInputError(`${name}: the new text is the same as the old one. Nothing would change.`);
  const spans: Span[] = [];
  for (const from of occurrencesOf(wanted, text)) {
    spans.push({ from, to: from + wanted.length, newText });
    if (spans.length > maxReplacements)
      throw new ToolInputError(`${name}: the text is there more than ${maxReplacements} times. Replace a longer one.`);
  }
  if (spans.length === 0) throw new ToolInputError(`${name}: the text to replace was not found.${describeNearest(text, wanted)}`);
  if (spans.length > 1 && !replaceAll) {
    const lines = spans.slice(0, 5).map(({ from }) => lineAt(text, from));
    const more = spans.length > 5 ? " …" : "";
    throw new ToolInputError(
      `${name}: the text to replace is there ${spans.length} times, in lines ${lines.join(", ")}${more}. ` +
        "Give more of the lines around it, or replace all.",
    );
  }
  return spans;
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** As the line ends in which the replaced text begins; else as most of the file. */
function endingNear(text: string, start: number, common: "\n" | "\r\n"): "\n" | "\r\n" {
  const at = text.indexOf("\n", start);
  return at === -1 ? common : text[at - 1] === "\r" ? "\r\n" : "\n";
}
