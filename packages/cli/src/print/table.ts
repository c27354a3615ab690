import { stripVTControlCharacters } from "node:util";
import type { Style } from "./style.ts";

export interface TableOptions {
  readonly style: Style;
  /** Columns of the terminal; the last column is cut to fit. @default no limit */
  readonly width?: number | undefined;
}

/** Aligned columns under their names. The caller prints a message for an empty list. */
export function toTable(headers: readonly string[], rows: readonly (readonly string[])[], { style, width }: TableOptions): string {
  const cells = rows.map((row) => row.map(toLine));
  const widths = headers.map((header, column) => Math.max(header.length, ...cells.map((row) => visibleLength(row[column] ?? ""))));
  const room = width === undefined ? undefined : width - widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0);
  const line = (row: readonly string[]): string =>
    headers
      .map((_, column) => {
        const cell = row[column] ?? "";
        if (column === headers.length - 1) return room === undefined ? cell : cut(cell, Math.max(room, 10));
        return cell + " ".repeat(widths[column]! - visibleLength(cell));
      })
      .join("  ")
      .trimEnd();
  return [style.dim(line(headers)), ...cells.map(line)].join("\n");
}

/** Text from tools is shown on one line, and cannot move the cursor or recolour the terminal; our own colours stay. */
function toLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length;
}

function cut(text: string, length: number): string {
  if (visibleLength(text) <= length) return text;
  const plain = stripVTControlCharacters(text);
  return `${plain.slice(0, length - 1)}…`;
}
