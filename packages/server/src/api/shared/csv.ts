/** The columns of a table, in their order: how to get the value of each. Numbers and booleans are written bare, objects as JSON. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => unknown>>;

export function csvHeader(columns: Columns<never>): string {
  return toLine(Object.keys(columns));
}

export function csvLine<Row>(columns: Columns<Row>, row: Row): string {
  return toLine(Object.values(columns).map((valueOf) => valueOf(row)));
}

/** JSON for a column whose values may be anything: a text keeps its quotes, so that it differs from a number. */
export function jsonCell(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

/** As RFC 4180 has it. */
function toLine(values: readonly unknown[]): string {
  return `${values.map(toCell).join(",")}\r\n`;
}

function toCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // Every text is quoted: a program that splits at semicolons would else find further cells in it.
  return `"${(formulaStart.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

/** A spreadsheet runs what begins like this; a leading apostrophe makes it a text. */
const formulaStart = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;
