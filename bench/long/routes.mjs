export const title = "Requests made from the schemas of every route, by callers with and without roles, beside a caller who waits";

/** Rounds over all routes until the time is over. A route with a fault is "over", and so is memory that keeps growing. */
export async function run({ seconds, seed }) {
  const [{ openRack, createApp, routes }, { defineTool }, { fuzzRoutes }, { openFuzzTarget }] = await Promise.all([
    import("../../packages/server/dist/index.js"),
    import("../../packages/core/lib/index.js"),
    import("../fuzz/routes.mjs"),
    import("../fuzz/route-target.mjs"),
  ]);
  const target = await openFuzzTarget({ openRack, createApp, defineTool });
  const until = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() > until;
  const given = { routes: target.safe(routes), ask: target.ask, callers: target.callers, secrets: target.secrets };
  const waits = [];
  const probing = probe(target, isOver, waits);
  const byRoute = new Map();
  const memory = [];
  for (let round = 0; !isOver(); round++) {
    const rows = await fuzzRoutes({
      ...given,
      rounds: 5,
      seed: seed + round * 1_000,
      isOver,
    });
    for (const row of rows) byRoute.set(row.route, added(byRoute.get(row.route), row));
    memory.push(process.memoryUsage().heapUsed);
  }
  await probing;
  await target.close();
  for (const { route, faults } of byRoute.values())
    for (const { fault, request, answer } of faults) console.error(`${route}: ${fault}\n  request ${request}\n  answer  ${answer}`);
  return [toTable([...byRoute.values()]), meanwhile(waits, memory)];
}

function added(known, row) {
  if (known === undefined) return row;
  const sum = { ...known, faults: [...known.faults, ...row.faults].slice(0, 5) };
  for (const field of ["requests", "ok", "refused", "failed"]) sum[field] += row[field];
  return sum;
}

/** Another caller asks for something small all the time. */
async function probe(target, isOver, waits) {
  while (!isOver()) {
    const startedAt = performance.now();
    const { status } = await target.ask({ method: "GET", path: "/api/v1/calls?limit=1", headers: {}, caller: "plain" });
    if (status === 200) waits.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function toTable(rows) {
  return {
    caption: "Each route",
    columns: ["route", "requests", "ok", "refused", "failed", "faults", "verdict"],
    rows: rows.map(({ route, requests, ok, refused, failed, faults }) => [
      route,
      ...[requests, ok, refused, failed, faults.length].map(String),
      faults.length === 0 ? "ok" : "over",
    ]),
  };
}

function meanwhile(waits, memory) {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  const largest = Math.max(0, ...memory) / 1e6;
  return {
    caption: "Meanwhile",
    columns: ["what", "measured", "target", "verdict"],
    rows: [
      // The requests are made in the same thread, which takes longer than answering them: bench/dos measures what others wait for.
      ["another caller's p50, the making of requests included", `${at(0.5).toFixed(1)} ms`, "", ""],
      ["another caller's p99, the making of requests included", `${at(0.99).toFixed(1)} ms`, "", ""],
      ["the heap at its largest", `${largest.toFixed(0)} MB`, "≤ 512 MB", largest <= 512 ? "ok" : "over"],
    ],
  };
}
