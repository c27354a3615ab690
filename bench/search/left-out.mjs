import { bundleSources } from "../../scripts/lib/bundle-sources.mjs";
import { readSets } from "./corpora.mjs";
import { scoreSearch } from "./measures.mjs";

/** Of each set: enough to tell settings apart, in minutes. */
const queriesPerSet = 150;
/** What a weight is without its gain; 0 unless it is listed. The ranker takes no match whose weight is exactly 0. */
const neutral = { whole: 1, weakWord: 1, quoted: 1, pair: 1e-6, synonym: 1e-6, related: 1e-6 };

/**
 * For each set: the weights chosen on the other sets, and what they score on this one. A weight that is chosen alike whichever set is left
 * out, and whose gain pays on the sets that did not choose it, is no property of a set.
 */
export async function leftOutTables(folder) {
  const sets = readSets(folder).map(({ queries, ...set }) => ({ ...set, queries: spread(queries) }));
  if (sets.length < 2) return [];
  const measure = await createMeasure();
  const shipped = sets.map((set) => measure(set, {}));
  const tried = measure.names.map((name) => ({ name, values: triedValues(name, measure.shipped[name], sets, measure, shipped) }));
  const chosen = sets.map((_, out) => Object.fromEntries(tried.map(({ name, values }) => [name, bestWithout(values, out)])));
  const onLeftOut = sets.map((set, out) => measure(set, chosen[out]));
  return [choiceTable(sets, tried, chosen, measure.shipped), scoreTable(sets, shipped, onLeftOut)];
}

/** Measures the sources with other weights: the build does not export them. */
async function createMeasure() {
  const files = { index: "packages/core/src/search/tool-index.ts", weights: "packages/core/src/search/weights.ts" };
  const urls = await bundleSources(files, "node_modules/.cache/toolrack/bench-search");
  const [{ createToolIndex }, { weights }] = await Promise.all([import(urls.index), import(urls.weights)]);
  const before = { ...weights };
  const measure = ({ tools, queries }, changes) => {
    Object.assign(weights, changes);
    try {
      const index = createToolIndex(tools, { sourceOf: ({ server }) => server });
      return scoreSearch(queries, (query) => index.search(query, { limit: 10 }).map(({ tool }) => tool.id));
    } finally {
      Object.assign(weights, before);
    }
  };
  return Object.assign(measure, { names: Object.keys(before), shipped: before });
}

/** The shipped value first, then without the gain, half and one and a half times; each with its score on every set. */
function triedValues(name, value, sets, measure, shipped) {
  const without = neutral[name] ?? 0;
  const others = [...new Set([without, (value + without) / 2, value + (value - without) / 2])];
  return [
    { value, scores: shipped },
    ...others.map((other) => ({ value: other, scores: sets.map((set) => measure(set, { [name]: other })) })),
  ];
}

/** The value that is best on average over all sets but one; the shipped one where others are equal. */
function bestWithout(values, out) {
  const worth = ({ scores }) => scores.reduce((sum, score, at) => (at === out ? sum : sum + worthOf(score)), 0);
  return values.reduce((best, one) => (worth(one) > worth(best) ? one : best)).value;
}

function worthOf({ recall5, completeness5 }) {
  return recall5 + completeness5;
}

function choiceTable(sets, tried, chosen, shipped) {
  return {
    caption: `What each gain adds, and which weight is chosen when a set is left out; ${queriesPerSet} queries of each set`,
    columns: [
      "weight",
      "in use",
      "adds to recall@5",
      "adds to completeness@5",
      "sets that gain or lose",
      ...sets.map(({ name }) => `without ${name}`),
    ],
    rows: tried.map(({ name, values: [used, without] }) => {
      const added = (measure) => mean(used.scores.map((score, at) => score[measure] - without.scores[at][measure]));
      const differences = used.scores.map((score, at) => worthOf(score) - worthOf(without.scores[at]));
      const count = (test) => String(differences.filter(test).length);
      return [
        name,
        String(shipped[name]),
        signed(added("recall5")),
        signed(added("completeness5")),
        `${count((value) => value > 1e-9)} gain, ${count((value) => value < -1e-9)} lose`,
        ...chosen.map((choice) => String(Number(choice[name].toFixed(3)))),
      ];
    }),
  };
}

function scoreTable(sets, shipped, onLeftOut) {
  const row = (name, ours, chosen) => [
    name,
    ...["recall5", "completeness5"].flatMap((measure) => [show(ours[measure]), show(chosen[measure])]),
  ];
  const average = (scores) => ({
    recall5: mean(scores.map(({ recall5 }) => recall5)),
    completeness5: mean(scores.map(({ completeness5 }) => completeness5)),
  });
  return {
    caption: "Each set with the weights in use, and with weights chosen on the other sets alone",
    columns: ["set", "recall@5 in use", "recall@5 left out", "completeness@5 in use", "completeness@5 left out"],
    rows: [...sets.map(({ name }, at) => row(name, shipped[at], onLeftOut[at])), row("average", average(shipped), average(onLeftOut))],
  };
}

/** So many of the list, evenly. */
function spread(list) {
  const step = Math.max(1, list.length / queriesPerSet);
  return Array.from({ length: Math.min(list.length, queriesPerSet) }, (_, index) => list[Math.floor(index * step)]);
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function show(value) {
  return value.toFixed(3).replace(/^0/, "");
}

function signed(value) {
  return `${value < 0 ? "−" : "+"}${show(Math.abs(value))}`;
}
