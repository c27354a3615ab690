import { join } from "node:path";
import { root } from "../lib/files.mjs";

const folder = "packages/core/test/mistakes";

/** Makes every mistake and compiles it: rows of { subject, title, compiler, caught }, both undefined where nothing notices it. */
export async function noticeMistakes(load) {
  const [{ mistakes }, { makeMistake }, { compileMistakes }] = await Promise.all(
    ["all", "catch", "compiler"].map((name) => load(`${folder}/${name}.ts`)),
  );
  const compiled = await compileMistakes(join(root, folder), Object.keys(mistakes));
  const rows = [];
  for (const [subject, list] of Object.entries(mistakes)) {
    for (const mistake of list)
      rows.push({ subject, title: mistake.title, compiler: compiled.get(mistake.title), caught: await makeMistake(mistake) });
  }
  return rows;
}

export function mistakeTables(rows) {
  return [...new Set(rows.map(({ subject }) => subject))].flatMap((subject) => [
    "",
    `## ${chapters[subject]}`,
    "",
    "| mistake | compiler | noticed by | sentence |",
    "| --- | --- | --- | --- |",
    ...rows.filter((row) => row.subject === subject).map(toLine),
  ]);
}

const chapters = {
  definition: "Defining a tool",
  registration: "Registering tools",
  options: "Options of a registry",
  policy: "Policies and callers",
  call: "Calls",
  result: "Results of handlers",
  vendor: "Model vendors",
  framework: "Frameworks",
};

function toLine({ title, compiler, caught }) {
  const sentence = caught === undefined ? "" : cell(caught.sentence);
  return `| ${cell(title)} | ${compiler === undefined ? "no" : "yes"} | ${caught?.by ?? "nobody"} | ${sentence} |`;
}

/** A name such as `<id>` would be read as HTML. */
function cell(text) {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");
}
