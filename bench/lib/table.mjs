/**
 * A table is `{ caption, columns, rows }`, every cell a text. A row whose last cell is "over" missed its target.
 */

/** The table of what `measure` answers; a row with `notRun` says why instead of how long. */
export function toTable(caption, rows) {
  return {
    caption,
    columns: ["what", "CPU time", "ratio", "target", "verdict"],
    rows: rows.map(({ name, ns, ratio, target, verdict, notRun }) => {
      if (notRun !== undefined) return [name, "not run", "", "", notRun];
      return [name, duration(ns), times(ratio), target === undefined ? "" : `≤ ${times(target)}`, verdict ?? ""];
    }),
  };
}

export function isOver({ rows }) {
  return rows.some((row) => row.at(-1) === "over");
}

/** The table as lines of text, columns aligned. */
export function formatTable({ caption, columns, rows }) {
  const widths = columns.map((column, index) => Math.max(...[column, ...rows.map((row) => row[index])].map((cell) => cell.length)));
  const isRight = (index) => index > 0 && index < columns.length - 1;
  const line = (cells) =>
    cells
      .map((cell, index) => (isRight(index) ? cell.padStart(widths[index]) : cell.padEnd(widths[index])))
      .join("  ")
      .trimEnd();
  return [caption, line(columns), widths.map((width) => "─".repeat(width)).join("──"), ...rows.map(line)].join("\n");
}

/** 950 → "950 ns"; 1_234 → "1.23 µs"; 45_600_000 → "45.6 ms" */
export function duration(ns) {
  const [divisor, unit] = ns < 1e3 ? [1, "ns"] : ns < 1e6 ? [1e3, "µs"] : [1e6, "ms"];
  return `${significant(ns / divisor)} ${unit}`;
}

/** 1.5 → "1.50×" */
export function times(ratio) {
  return `${significant(ratio)}×`;
}

function significant(value) {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
