import type { Readable } from "node:stream";
import { createStyle, type Style } from "./style.ts";
import { toTable } from "./table.ts";

/** Where a command prints: words, tables and colour for people, one JSON document for programs. */
export interface Terminal {
  readonly isJson: boolean;
  readonly style: Style;
  readonly input: Readable & { readonly isTTY?: boolean };
  /** Standard output itself, for a command that speaks a protocol over it. */
  readonly output: Streams["output"];
  /**
   * The answer. With --json it is printed as it is, and `show` is not asked. Where a list has a further page (`next`), a line below says so;
   * `more` is the command that shows it: "toolrack calls --before".
   */
  answer(value: unknown, show: () => string, more?: string): void;
  /** One line on stderr while work is in progress; nothing with --json. */
  note(text: string): void;
  /** The latest of many such lines: on a terminal it replaces the one before. */
  progress(text: string): void;
  /** One line on stderr about something that is wrong, also with --json. */
  warn(text: string): void;
  table(headers: readonly string[], rows: readonly (readonly string[])[]): string;
}

export interface Streams {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  readonly errors: { write(text: string): unknown; readonly isTTY?: boolean };
}

export function createTerminal(streams: Streams, options: { readonly isJson: boolean; readonly isColoured?: boolean }): Terminal {
  const { output, errors } = streams;
  const { isJson, isColoured = output.isTTY === true } = options;
  const style = createStyle(isColoured);
  let isLineOpen = false;

  function endLine(): void {
    if (isLineOpen) errors.write("\n");
    isLineOpen = false;
  }

  return {
    isJson,
    style,
    get input() {
      return streams.input;
    },
    output,
    answer(value, show, more) {
      endLine();
      output.write(`${isJson ? JSON.stringify(value ?? null, null, 2) : show() + moreOf(value, more)}\n`);
    },
    note(text) {
      if (isJson) return;
      endLine();
      errors.write(`${text}\n`);
    },
    warn(text) {
      endLine();
      errors.write(`${style.warn(text)}\n`);
    },
    progress(text) {
      if (isJson) return;
      if (errors.isTTY !== true) return void errors.write(`${text}\n`);
      errors.write(`\r\u001b[2K${text}`);
      isLineOpen = true;
    },
    table: (headers, rows) => toTable(headers, rows, { style, width: output.isTTY === true ? output.columns : undefined }),
  };
}

function moreOf(value: unknown, more: string | undefined): string {
  const { next } = (value ?? {}) as { readonly next?: unknown };
  if (typeof next !== "number") return "";
  return more === undefined ? `\nThis is the first page. More with the HTTP API: offset=${next}` : `\nMore: ${more} ${next}`;
}
