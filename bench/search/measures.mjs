/** The measures of a search over queries, each averaged; `search(query)` answers ids, best first. */
export function scoreSearch(queries, search) {
  const sums = { recall1: 0, recall5: 0, recall10: 0, completeness5: 0, ndcg10: 0 };
  for (const row of queries) {
    const groups = goldGroups(row);
    const ids = search(row.query).slice(0, 10);
    const recallAt = (count) => groups.filter((group) => ids.slice(0, count).some((id) => group.has(id))).length / groups.length;
    sums.recall1 += recallAt(1);
    sums.recall5 += recallAt(5);
    sums.recall10 += recallAt(10);
    sums.completeness5 += recallAt(5) === 1 ? 1 : 0;
    sums.ndcg10 += ndcg(ids, groups);
  }
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / queries.length]));
}

/** The same measures, averaged over sets. */
export function averageOf(scores) {
  const names = Object.keys(scores[0]);
  return Object.fromEntries(names.map((name) => [name, scores.reduce((sum, score) => sum + score[name], 0) / scores.length]));
}

/** Each thing that must be found, as the ids that are equally good; what `goldAny` groups counts once. */
function goldGroups({ gold, goldAny = [] }) {
  const grouped = new Set(goldAny.flat());
  return [...goldAny, ...gold.filter((id) => !grouped.has(id)).map((id) => [id])].map((ids) => new Set(ids));
}

function ndcg(ids, groups) {
  const left = new Set(groups);
  let gain = 0;
  ids.forEach((id, place) => {
    const met = [...left].find((group) => group.has(id));
    if (met === undefined) return;
    left.delete(met);
    gain += 1 / Math.log2(place + 2);
  });
  let ideal = 0;
  for (let place = 0; place < Math.min(10, groups.length); place++) ideal += 1 / Math.log2(place + 2);
  return gain / ideal;
}
