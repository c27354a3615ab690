import { availableParallelism } from "node:os";
import { root } from "../../scripts/lib/files.mjs";
import { findMissingIds, findRowFaults } from "./find-row-faults.mjs";
import { loadRows } from "../../scripts/attacks/rows.mjs";
import { judgeBroken, judgeUnbroken, runTests } from "./run-tests.mjs";
import { createScratch } from "./scratch.mjs";

/** One table: each test with each of its breaks. A row that is not caught ends in "over". */
export async function tryDefences(only) {
  const all = await loadRows();
  const rows = only === undefined ? all : all.filter(({ id }) => only.includes(id));
  if (rows.length === 0) throw new Error(`There is no row for ${only.join(", ")}.`);
  const faults = findRowFaults(rows, root);
  const missing = only === undefined ? findMissingIds(all) : [];
  const faulty = new Set(faults.map(({ row }) => row));
  const tested = rows.filter(({ test }) => test !== undefined);
  const problems = await tryRows(tested.filter((row) => !faulty.has(row)));
  const shown = tested.map((row) => {
    const problem = faulty.has(row) ? "not tried" : problems.get(row);
    return [row.id, shortTest(row), shortBreak(row), problem ?? "caught", problem === undefined ? "" : "over"];
  });
  const later = rows.filter(({ test }) => test === undefined).map(({ id, later: reason }) => [id, "", "", `not built yet: ${reason}`, ""]);
  const unusable = [...faults.map(({ fault }) => fault), ...missing.map((id) => `${id}: no row is about it.`)];
  return [
    { caption: `Defences, ${tested.length} breaks`, columns: ["id", "test", "break", "outcome", ""], rows: [...shown, ...later] },
    ...(unusable.length === 0
      ? []
      : [{ caption: "Rows that are wrong or missing", columns: ["fault", ""], rows: unusable.map((fault) => [fault, "over"]) }]),
  ];
}

/** The problem of each row that has one. */
async function tryRows(rows) {
  const problems = new Map();
  const byFile = groupByTest(rows);
  const unbroken = [...byFile].map(([file, own]) => async (scratch) => {
    const outcome = await runTests(
      scratch.root,
      file,
      own.map(({ name }) => name),
    );
    for (const row of own) note(problems, row, judgeUnbroken(outcome, row), "unbroken");
  });
  const broken = rows.map((row) => async (scratch) => {
    try {
      const outcome = await scratch.withBreaks(row.breaks, () => runTests(scratch.root, row.test, [row.name]));
      note(problems, row, judgeBroken(outcome, row), "broken");
    } catch (error) {
      note(problems, row, error.message, "broken");
    }
  });
  await workThrough([...unbroken, ...broken]);
  return problems;
}

/** As many copies as there are processors, each taking the next piece of work. */
async function workThrough(jobs) {
  let next = 0;
  const work = async () => {
    const scratch = createScratch();
    try {
      while (next < jobs.length) await jobs[next++](scratch);
    } finally {
      scratch.remove();
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, work));
}

function note(problems, row, problem, when) {
  process.stderr.write(`${row.id.padEnd(5)} ${when.padEnd(9)} ${problem ?? "as it must be"}\n`);
  if (problem !== undefined && !problems.has(row)) problems.set(row, problem);
}

function groupByTest(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.test, [...(groups.get(row.test) ?? []), row]);
  return groups;
}

const shortTest = ({ test, name }) => `${test.replace(/^packages\//, "").replace("/test/", ": ")}, "${name}"`;

const shortBreak = ({ breaks }) => breaks.map(({ file, find }) => `${file.replace(/^packages\//, "")}: ${oneLine(find)}`).join("; ");

function oneLine(text) {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
