import { readdirSync } from "node:fs";

/**
 * Each row is one attack: `id`, `attack` (what is tried), then
 * - `test`, `name` and `breaks`: the file of the test that shows the defence, a text that the test's full name contains, and changes of
 *   the source (`{ file, find, replace }`) that take the defence away and must make that test fail;
 * - or `later`: the reason why there is no test yet.
 * `note` is one more sentence for readers.
 */
export async function loadRows() {
  const folder = new URL("./rows/", import.meta.url);
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".mjs"))
    .toSorted();
  const lists = await Promise.all(
    files.map(async (name) => (await import(new URL(name, folder))).rows.map((row) => ({ ...row, from: name }))),
  );
  return lists.flat().toSorted((one, other) => compareIds(one.id, other.id));
}

/** The numbered attacks: on tool systems (S), on this design (SD), on sign-in (SI), on agents and hosts (AH), on roles and availability (TD). */
export const series = { S: 34, SD: 26, SI: 25, AH: 25, TD: 11 };

/** "S1" … "S34", "SD1" … */
export const everyId = Object.entries(series).flatMap(([letters, last]) =>
  Array.from({ length: last }, (_, index) => `${letters}${index + 1}`),
);

/** "SD4" → ["SD", 4] */
export function splitId(id) {
  const [, letters, digits] = /^([A-Z]+)(\d+)$/.exec(id) ?? [undefined, id, "0"];
  return [letters, Number(digits)];
}

function compareIds(one, other) {
  return everyId.indexOf(one) - everyId.indexOf(other);
}
