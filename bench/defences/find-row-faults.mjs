import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { everyId } from "../../scripts/attacks/rows.mjs";

/** What is wrong with the rows, as `{ row, fault }`, without running anything; `root` is the checkout they speak of. */
export function findRowFaults(rows, root) {
  const texts = new Map();
  const read = (file) => {
    if (!texts.has(file)) texts.set(file, existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : undefined);
    return texts.get(file);
  };
  const seen = new Map();
  return rows.flatMap((row) => {
    const label = `${row.from ?? "rows"}: ${row.id}`;
    const key = JSON.stringify([row.id, row.test, row.name, row.breaks]);
    const twin = seen.get(key);
    seen.set(key, label);
    return [...(twin === undefined ? [] : ["stands there twice"]), ...faultsOf(row, read)].map((fault) => ({
      row,
      fault: `${label}: ${fault}.`,
    }));
  });
}

/** The ids that no row is about. */
export function findMissingIds(rows) {
  const there = new Set(rows.map(({ id }) => id));
  return everyId.filter((id) => !there.has(id));
}

function faultsOf(row, read) {
  const faults = [];
  if (!everyId.includes(row.id)) faults.push(`"${row.id}" is no id`);
  if (!isText(row.attack)) faults.push("attack must be a text");
  if (row.later !== undefined && !isText(row.later)) faults.push("later must be a reason");
  if (row.test === undefined) {
    if (row.later === undefined) faults.push("there is neither a test nor a reason in later");
    return faults;
  }
  if (!isText(row.name)) faults.push("name must be a part of the test's name");
  if (!Array.isArray(row.breaks) || row.breaks.length === 0) faults.push("breaks must be a list of changes");
  if (read(row.test) === undefined) faults.push(`${row.test} does not exist`);
  // Suites that several tests run stand in a file of their own.
  const named = row.contract ?? row.test;
  if (isText(row.name) && read(named)?.includes(row.name) === false) faults.push(`${named} has no "${row.name}"`);
  for (const change of Array.isArray(row.breaks) ? row.breaks : []) faults.push(...faultsOfBreak(change, row, read));
  return faults;
}

function faultsOfBreak({ file, find, replace }, { test }, read) {
  if (!isText(file) || !isText(find) || typeof replace !== "string" || find === replace)
    return ["a break needs file, find and another replace"];
  if (file === test || /(^|\/)test\//.test(file)) return [`${file} is a test; break what it tests`];
  const source = read(file);
  if (source === undefined) return [`${file} does not exist`];
  const times = source.split(find).length - 1;
  return times === 1 ? [] : [`${file} contains ${JSON.stringify(find)} ${times} times, and must contain it once`];
}

function isText(value) {
  return typeof value === "string" && value.trim() !== "";
}
