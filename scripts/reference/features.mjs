import { featureRows } from "./feature-rows.mjs";

const chapters = {
  A: "Definition of tools",
  B: "Results and errors",
  C: "Registry",
  D: "Validation and parameters",
  E: "Policy",
  F: "Calls",
  G: "What models are given",
  H: "Records, configuration, secrets",
  I: "Surfaces and extension",
  J: "Packs of tools",
};

const tag = /^[ \t]*\/\/ row: ([A-J]\d+(?:, [A-J]\d+)*)[ \t]*\n([^\n]*)/gm;

/** The first text that is an argument, and is followed by a function or by options. */
const testName = /(?:^|\()\s*(["'`])((?:\\.|(?!\1).)+)\1\s*,?\s*(?:async\b|\(|\{|$)/;

/** What shows each row, by id, each `{ path, name }`; a whole file has no name. `files` are `{ path, text }`. */
export function findShown(files) {
  const shown = new Map();
  for (const { path, text } of files)
    for (const [whole, ids, next] of text.matchAll(tag)) {
      const isWholeFile = text.startsWith(whole) && !/[.]test[.]/.test(path);
      const name = isWholeFile ? undefined : testName.exec(next)?.[2];
      if (!isWholeFile && name === undefined) throw new Error(`${path}: no test stands on the line below "// row: ${ids}".`);
      for (const id of ids.split(", ")) shown.set(id, [...(shown.get(id) ?? []), { path, name }]);
    }
  return shown;
}

/** What is wrong between rows and tests, in sentences. */
export function findGaps(rows, shown) {
  const known = new Set(rows.map(({ id }) => id));
  return [
    ...[...shown.keys()].filter((id) => !known.has(id)).map((id) => `${shown.get(id)[0].path}: there is no row ${id}.`),
    ...rows.filter(({ id, open }) => open === undefined && !shown.has(id)).map(({ id }) => `No test carries "row: ${id}".`),
    ...rows
      .filter(({ id, open }) => open !== undefined && shown.has(id))
      .map(({ id }) => `${id} is shown by ${shown.get(id)[0].path}: remove its "open" in scripts/reference/feature-rows.mjs.`),
  ];
}

/** The page of features. */
export function featureTables(files, rows = featureRows) {
  const shown = findShown(files);
  return Object.entries(chapters).flatMap(([letter, title]) => [
    "",
    `## ${title}`,
    "",
    "| id | what | what shows it |",
    "| --- | --- | --- |",
    ...rows.filter(({ id }) => id.startsWith(letter)).map((row) => toLine(row, shown.get(row.id) ?? [])),
  ]);
}

function toLine({ id, title, open }, shown) {
  const tests = shown.map(({ path, name }) => `[${shortFile(path)}](../../${path})${name === undefined ? "" : `: \`${cell(name)}\``}`);
  return `| ${id} | ${cell(title)} | ${tests.length === 0 ? (open ?? "") : tests.join("<br>")} |`;
}

/** "packages/server/test/attacks.test.ts" → "server: attacks.test.ts" */
function shortFile(path) {
  return path
    .replace(/^packages\//, "")
    .replace(/\/(?:test|src\/testing)\//, ": ")
    .replace(/^examples\/(.+)\/index\.ts$/, "example $1");
}

function cell(text) {
  return text.replaceAll("\\", "").replaceAll("|", "\\|").replaceAll("`", "'");
}
