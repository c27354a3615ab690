/**
 * `node bench/trust/cross-validate.mjs DIR [wording,class,disguise,author]` learns weights from a part of the data, again and again, and looks with each at
 * what was left out: sentences, classes of attacks, disguises, and everything of one author. Sources of real tools are left out as well, and the levels are
 * those of other parts. DIR is as for train.mjs. Takes minutes.
 */
import { asShipped, levelsOf, modelOf, scoresOf } from "./learn/fit.mjs";
import { readData } from "./learn/data.mjs";
import { groupOf, ownRows, plant, rowsOf } from "./learn/rows.mjs";
import { bundleScanner, loadScanner } from "./learn/scanner.mjs";
import { rank, shareOf, worstOf } from "./measures.mjs";
import { rulesWrittenFor } from "./quality.mjs";

const folds = 5;
const [folder, wanted = "wording,class,disguise,author"] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder with benign.jsonl, hostile.jsonl and results.jsonl.");
const scanner = await loadScanner();
const data = readData(folder, scanner);
const clusters = clustersOf(data.definition.bags.filter(({ author }) => author === "cases"));
const rows = {
  real: rowsOf(folder, "benign")
    .filter(({ hard }) => !hard)
    .concat(
      rowsOf(folder, "real")
        .filter((_, index) => index % 3 === 0)
        .map((row) => ({ ...row, isOther: true })),
    ),
  alarming: rowsOf(folder, "benign").filter(({ hard }) => hard),
  hostile: rowsOf(folder, "hostile"),
  results: rowsOf(folder, "results"),
  own: ["hostile", "honest", "hostile-results", "harmless-results"].flatMap((name) => ownRows(name).map((row) => ({ ...row, name }))),
};

const spread = (names) => new Map([...new Set(names)].toSorted().map((name, index) => [name, index % folds]));
const kinds = spread(["definition", "result"].flatMap((name) => data[name].bags.map(({ kind }) => kind)));
const disguises = spread([...rows.hostile, ...rows.results].map(({ disguise }) => disguise ?? "plain"));
/** In which part a row is left out: `bag` for what is learned from, `row` for what is looked at. */
const experiments = {
  wording: { bag: (bag) => groupOf(wordingOf(bag), folds), row: (row) => groupOf(wordingOf(row), folds) },
  class: { bag: ({ kind }) => kinds.get(kind), row: (row) => kinds.get(row.class), without: true },
  disguise: {
    bag: (bag) => (bag.author === "cases" ? disguises.get(bag.disguise) : -1),
    also: (bag, part) => bag.author === "cases" && clusterHas(bag, part),
    row: (row) => disguises.get(row.disguise),
  },
  author: { bag: ({ author }) => (author === "cases" ? "all" : -1), row: (row) => groupOf(row.id ?? row.text, folds) },
};

for (const name of wanted.split(",")) print(name, await run(experiments[name]));

async function run({ bag: foldOf, also, row: foldOfRow, without }) {
  const trained = [];
  for (let part = 0; part < folds; part++) {
    const models = {};
    for (const kind of ["definition", "result"]) {
      const isBag = (bag) => foldOf(bag) !== part && foldOf(bag) !== "all" && !also?.(bag, part);
      const model = modelOf(data[kind], scanner, { isBag, isOther: ({ group }) => group !== part });
      const left = data[kind].negatives.filter(({ group }) => group === part);
      models[kind] = { model, scored: scoresOf(kind, left, model, scanner) };
    }
    trained.push(models);
  }
  const found = [];
  for (let part = 0; part < folds; part++) {
    const shipped = {};
    for (const kind of ["definition", "result"]) {
      const others = trained.filter((_, index) => index !== part).map((one) => one[kind].scored);
      shipped[kind] = asShipped(trained[part][kind].model, levelsOf(data[kind], others));
    }
    const { scanTool, scanResult } = await bundleScanner(shipped);
    const ofTool = ({ tool, among }, options) => worstOf(scanTool(tool, { among, ...options }));
    for (const row of rows.real.filter(({ source }) => groupOf(source, folds) === part))
      found.push({ set: row.isOther ? "other real tools" : "real tools", row: row.isOther ? undefined : row, worst: ofTool(row) });
    for (const row of rows.alarming.filter(({ tool }) => groupOf(tool.description, folds) === part))
      found.push({ set: "alarming but honest tools", worst: ofTool(row) });
    for (const row of rows.hostile.filter((one) => foldOfRow(one) === part)) {
      const options = without && rulesWrittenFor[row.class] ? { without: rulesWrittenFor[row.class] } : {};
      const worst = ofTool(row, options);
      found.push({ set: "hostile definitions", row, worst: row.want === "warning" && worst === rank.warning ? rank.danger : worst });
    }
    for (const row of rows.results.filter(({ label, ...one }) => (label === "benign" ? groupOf(one.text, folds) : foldOfRow(one)) === part))
      found.push({ set: row.label === "benign" ? "harmless results" : "hostile results", row, worst: worstOf(scanResult(row.text)) });
    const bases = rows.real.filter(({ source, isOther }) => !isOther && groupOf(source, folds) === part);
    for (const [index, row] of rows.own.entries()) {
      if ((row.class === undefined ? groupOf(row.text, folds) : foldOfRow(row)) !== part) continue;
      const options = without && rulesWrittenFor[row.class] ? { without: rulesWrittenFor[row.class] } : {};
      const worst = row.name.endsWith("results")
        ? worstOf(scanResult(`Opening hours are 9 to 17.\n${row.text}\nParking is free.`))
        : ofTool({ tool: plant(row.text, bases[(index * 41) % bases.length].tool, index).tool }, options);
      found.push({ set: `own ${row.name}`, row, worst });
    }
  }
  return found;
}

function print(name, found) {
  console.log(`\n${name} left out`);
  for (const set of new Set(found.map((one) => one.set))) {
    const list = found.filter((one) => one.set === set);
    const danger = shareOf(list, ({ worst }) => worst === rank.danger);
    const warned = shareOf(list, ({ worst }) => worst >= rank.warning);
    console.log(`  ${set.padEnd(26)} of ${String(list.length).padStart(5)}: danger ${danger}, warned ${warned}`);
  }
  for (const key of ["class", "disguise"]) {
    const by = new Map();
    for (const { row, set, worst } of found) {
      if (row?.[key] === undefined) continue;
      const name = `${row[key]}${set.includes("results") ? " (result)" : ""}`;
      by.set(name, [...(by.get(name) ?? []), worst]);
    }
    const parts = Array.from(
      by,
      ([name, all]) => `${name} ${[2, 1, -1].map((least) => all.filter((worst) => worst >= least).length).join("/")}`,
    );
    console.log(`  by ${key} (danger/warned/all): ${parts.join(", ")}`);
  }
  if (process.env.SHOW === undefined) return;
  for (const { row, set, worst } of found)
    if (row && (set.includes("hostile") ? worst < rank.danger : worst >= rank.warning))
      console.log(`  ${set} ${row.source ?? row.class ?? row.kind ?? ""}: ${row.id ?? row.tool?.name ?? ""} ${worst} ${row.text ?? ""}`);
}

/** One sentence in several disguises, and the same in several tools, is one wording. */
function wordingOf(row) {
  return clusters.get(row.id) ?? row.key ?? row.text ?? row.id;
}

function clusterHas(bag, part) {
  const cluster = clusters.get(bag.id);
  return rows.hostile.some((row) => clusters.get(row.id) === cluster && disguises.get(row.disguise) === part);
}

function clustersOf(bags) {
  const known = [];
  const found = new Map();
  for (const { id, key } of bags) {
    const words = new Set(key.toLowerCase().match(/\p{L}{2,}/gu) ?? []);
    const near = known.find((one) => {
      const common = [...words].filter((word) => one.words.has(word)).length;
      return common / Math.min(words.size, one.words.size) > 0.6 && common > 3;
    });
    if (near === undefined) known.push({ id, words });
    found.set(id, near?.id ?? id);
  }
  return found;
}
