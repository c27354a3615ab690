import type { Style } from "./style.ts";
import { cutTo, widthOf } from "./width.ts";

/** "TOOL", or an id: it is never cut, but shown as the shortest beginning that is unique, which every command takes for the id. */
export type Column = string | { readonly id: string };

export interface TableOptions {
  readonly style: Style;
  /** Columns of the terminal; the table is made to fit. @default no limit */
  readonly width?: number | undefined;
}

/** Aligned columns under their names. The caller prints a message for an empty list. */
export function toTable(columns: readonly Column[], rows: readonly (readonly string[])[], { style, width }: TableOptions): string {
  const headers = columns.map((column) => (typeof column === "string" ? column : column.id));
  const whole = rows.map((row) => headers.map((_, column) => toLine(row[column] ?? "")));
  const room = width === undefined ? Number.POSITIVE_INFINITY : width - gap.length * (headers.length - 1);
  const fits = sum(widthsOf(headers, whole)) <= room;
  const cells = fits ? whole : withShortIds(columns, whole);
  const widths = fit(widthsOf(headers, cells), columns, headers, room);
  if (sum(widths) > room) return toBlocks(headers, whole, style);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => padded(cell, widths[column]!))
      .join(gap)
      .trimEnd();
  return [style.dim(line(headers)), ...cells.map(line)].join("\n");
}

const gap = "  ";

function padded(cell: string, width: number): string {
  const text = cutTo(cell, width);
  return text + " ".repeat(width - widthOf(text));
}

/** Text from tools is shown on one line; our own colours stay. */
function toLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function widthsOf(headers: readonly string[], cells: readonly (readonly string[])[]): number[] {
  return headers.map((header, column) => cells.reduce((most, row) => Math.max(most, widthOf(row[column]!)), header.length));
}

/** Takes from the widest column, one by one, until the table fits; no column gets narrower than its name or a short word. */
function fit(widths: readonly number[], columns: readonly Column[], headers: readonly string[], room: number): number[] {
  const made = [...widths];
  const least = made.map((width, column) =>
    typeof columns[column] === "string" ? Math.min(width, Math.max(headers[column]!.length, 10)) : width,
  );
  for (let over = sum(made) - room; over > 0; over -= 1) {
    let widest = -1;
    for (const [column, width] of made.entries()) if (width > least[column]! && (widest === -1 || width >= made[widest]!)) widest = column;
    if (widest === -1) break;
    made[widest]! -= 1;
  }
  return made;
}

function withShortIds(columns: readonly Column[], cells: readonly (readonly string[])[]): string[][] {
  const shortened = columns.map((column, number) => (typeof column === "string" ? undefined : shortIds(cells.map((row) => row[number]!))));
  return cells.map((row, index) => row.map((cell, column) => shortened[column]?.[index] ?? cell));
}

/** ["approval-abcdefgh1", "approval-abxyzuvw2"] → as many letters of each as tell them apart, and at least twelve. */
export function shortIds(ids: readonly string[]): readonly string[] {
  const sorted = [...new Set(ids)].sort();
  const lengths = new Map(
    sorted.map((id, index) => [id, 1 + Math.max(shared(id, sorted[index - 1] ?? ""), shared(id, sorted[index + 1] ?? ""), shortest - 1)]),
  );
  return ids.map((id) => id.slice(0, lengths.get(id)));
}

const shortest = 12;

function shared(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** Each row as lines of its own, where the columns do not fit side by side. */
function toBlocks(headers: readonly string[], cells: readonly (readonly string[])[], style: Style): string {
  const width = Math.max(...headers.map((header) => header.length));
  const lines = (row: readonly string[]): string =>
    headers.flatMap((header, column) => (row[column] === "" ? [] : [`${style.dim(header.padEnd(width))}  ${row[column]}`])).join("\n");
  return cells.map(lines).join("\n\n");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
