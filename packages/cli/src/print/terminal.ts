import type { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { shellWord } from "@toolrack/core/internal/shell-word";
import { toPrettyJson } from "./json.ts";
import { safe, safeJson } from "./safe.ts";
import { createStyle, type Style } from "./style.ts";
import { type Column, toTable } from "./table.ts";
import { cutTo } from "./width.ts";

/** Where a command prints: words, tables and colour for people, one JSON document for programs. */
export interface Terminal {
  readonly isJson: boolean;
  /** Whether a person reads the answer: standard output is a terminal. */
  readonly isInteractive: boolean;
  readonly style: Style;
  readonly input: Readable & { readonly isTTY?: boolean };
  /** Standard output itself, for a command that speaks a protocol over it. */
  readonly output: Streams["output"];
  /**
   * The answer. With --json it is printed as it is; `show` is asked as well, because what cannot be shown to a person has another shape than a
   * program may rely on. Where a list has a further page (`next`), a line below says so;
   * `more` is the command that shows it: "toolrack calls --before".
   */
  answer(value: unknown, show: () => string, more?: string): void;
  /** Whether the answer was printed: with --json, a second document would make both unreadable. */
  readonly hasAnswered: boolean;
  /** One line on stderr while work is in progress; nothing with --json. */
  note(text: string): void;
  /** The latest of many such lines: on a terminal it replaces the one before. */
  progress(text: string): void;
  /** One line on stderr about something that is wrong, also with --json. */
  warn(text: string): void;
  table(columns: readonly Column[], rows: readonly (readonly string[])[]): string;
  /** A value as JSON: with line breaks and colour on a terminal, on one line elsewhere. */
  json(value: unknown): string;
}

export interface Streams {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  readonly errors: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
}

export interface TerminalOptions {
  readonly isJson: boolean;
  /** Whether the answer is coloured. @default where standard output is a terminal */
  readonly isColoured?: boolean;
  /** Whether lines on standard error are. @default where that is a terminal */
  readonly hasColouredErrors?: boolean;
}

export function createTerminal(streams: Streams, options: TerminalOptions): Terminal {
  const { output, errors } = streams;
  const { isJson, isColoured = output.isTTY === true, hasColouredErrors = errors.isTTY === true } = options;
  const style = createStyle(isColoured);
  const errorStyle = createStyle(hasColouredErrors);
  const isInteractive = output.isTTY === true;
  let isLineOpen = false;
  let hasAnswered = false;

  function endLine(): void {
    if (isLineOpen) errors.write("\n");
    isLineOpen = false;
  }

  /** What commands paint is for the answer; the two streams may lead to different places. */
  function writeError(text: string): void {
    endLine();
    errors.write(`${hasColouredErrors ? text : stripVTControlCharacters(text)}\n`);
  }

  return {
    isJson,
    isInteractive,
    style,
    get input() {
      return streams.input;
    },
    output,
    answer(value, show, more) {
      endLine();
      const shown = show();
      output.write(`${isJson ? toPrettyJson(value, style) : shown + moreOf(value, more)}\n`);
      hasAnswered = true;
    },
    get hasAnswered() {
      return hasAnswered;
    },
    note(text) {
      if (!isJson) writeError(text);
    },
    warn: (text) => writeError(errorStyle.warn(text)),
    progress(text) {
      if (isJson) return;
      if (errors.isTTY !== true) return void errors.write(`${text}\n`);
      // A line that wraps could not be replaced.
      errors.write(`\r\u001b[2K${cutTo(text.replaceAll(/\s+/g, " "), (errors.columns ?? 80) - 1)}`);
      isLineOpen = true;
    },
    table: (columns, rows) => toTable(columns, rows, { style, width: isInteractive ? output.columns : undefined }),
    json: (value) => (isInteractive ? toPrettyJson(value, style) : safeJson(JSON.stringify(value ?? null))),
  };
}

function moreOf(value: unknown, more: string | undefined): string {
  const { next } = (value ?? {}) as { readonly next?: unknown };
  // A number of entries or a position, or the id of the last one.
  if (typeof next === "string") return more === undefined ? "" : `\nMore: ${more} ${shellWord(safe(next))}`;
  if (typeof next !== "number") return "";
  return more === undefined ? `\nThis is the first page. More with the HTTP API: offset=${next}` : `\nMore: ${more} ${next}`;
}
