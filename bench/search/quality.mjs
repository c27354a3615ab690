import { readMerged, readSets } from "./corpora.mjs";
import { loadEngines } from "./engines.mjs";
import { averageOf, scoreSearch } from "./measures.mjs";

/** What is asked for, and what is hoped for. */
const goals = [
  { measure: "recall5", name: "recall@5", least: 0.8, aim: 0.85 },
  { measure: "completeness5", name: "completeness@5", least: 0.69, aim: 0.74 },
  { measure: "ndcg10", name: "nDCG@10", least: 0.77, aim: 0.8 },
];
const mergedGoal = { least: 0.63, aim: 0.68 };
/** Of each set, for peers: they take many times longer. */
const peerQueries = 60;

/** A table of all engines averaged over the sets, and one of ours for each set. */
export async function qualityTables(folder) {
  const sets = readSets(folder);
  if (sets.length === 0) throw new Error(`There are no sets in ${folder}: a set is a folder with corpus.jsonl and queries.jsonl.`);
  const engines = (await loadEngines()).filter(({ notRun }) => notRun === undefined);
  const merged = readMerged(folder);
  const scored = engines.map((engine, place) => scoreEngine(engine, sets, merged, place === 0 ? Infinity : peerQueries));
  const [ours] = scored;
  const row = (name, values, { least, aim }) => {
    return [name, ...values.map(show), show(least), show(aim), values[0] >= least ? (values[0] >= aim ? "ok, aim reached" : "ok") : "over"];
  };
  const rows = goals.map(({ measure, name, ...goal }) =>
    row(
      name,
      scored.map(({ average }) => average[measure]),
      goal,
    ),
  );
  if (merged)
    rows.push(
      row(
        `recall@5, ${merged.length.toLocaleString("en")} tools together`,
        scored.map(({ together }) => together),
        mergedGoal,
      ),
    );
  const columns = ["averaged over the sets", ...engines.map(({ name }) => name), "at least", "aim", "verdict"];
  return [{ caption: `${sets.length} sets; peers answer ${peerQueries} queries of each`, columns, rows }, setTable(sets, ours)];
}

function scoreEngine({ create }, sets, merged, mostQueries) {
  const perSet = sets.map(({ tools, queries }) => {
    const index = create(tools);
    return scoreSearch(spread(queries, mostQueries), (query) => index.search(query, 10));
  });
  const all = merged && create(merged);
  const perSetTogether = all && sets.map(({ queries }) => scoreSearch(spread(queries, mostQueries), (query) => all.search(query, 10)));
  return { perSet, perSetTogether, average: averageOf(perSet), together: perSetTogether && averageOf(perSetTogether).recall5 };
}

/** So many of the list, evenly. */
function spread(list, most) {
  const step = Math.max(1, list.length / most);
  return Array.from({ length: Math.min(list.length, most) }, (_, index) => list[Math.floor(index * step)]);
}

function setTable(sets, { perSet, perSetTogether }) {
  const measures = Object.keys(perSet[0]);
  return {
    caption: "Toolrack, set by set",
    columns: ["set", "tools", "queries", ...measures, ...(perSetTogether ? ["recall5 together"] : []), ""],
    rows: sets.map(({ name, tools, queries }, index) => [
      name,
      String(tools.length),
      String(queries.length),
      ...measures.map((measure) => show(perSet[index][measure])),
      ...(perSetTogether ? [show(perSetTogether[index].recall5)] : []),
      "",
    ]),
  };
}

function show(value) {
  return value.toFixed(3).replace(/^0/, "");
}
