// One server: opens the store and, when it is told to, does one kind of work with many callers until the time is over.
const { storeModule, connectionString, schema, work, callers, seconds, name } = JSON.parse(process.argv[2]);
const { createAnswers, createCallLog, createPostgresStore, createPresence, storeStats } = await import(storeModule);
const store = await createPostgresStore({ connectionString, schema });

const lease = { owner: store.actor.owner, name, lost: async () => {} };
await createPresence(store).report(name);
const calls = createCallLog(store, { server: lease });
const answers = createAnswers(store, { server: lease });
let count = 0;

const works = {
  async calls(caller) {
    const callId = `${name}-${caller}-${count++}`;
    const start = { callId, tool: "add", input: { a: 1, b: 2 }, caller: { agent: "bench" }, startedAt: Date.now() };
    await calls.begin(start);
    await calls.record({ ...start, result: { ok: true, content: 3, meta: { callId, tool: "add", durationMs: 1 } } });
  },
  async records() {
    const written = await store.put({
      id: `${name}-${count++}`,
      schema_name: "bench.note.v1",
      title: "A note",
      tags: ["bench"],
      context: { n: 1 },
    });
    if (!written.ok) throw new Error(written.message);
  },
  async keyed(caller) {
    const key = `${name}-${caller}-${count++}`;
    await answers.once({ key, caller: `${caller}`, request: { n: 1 }, work: key, make: async () => ({ n: 1 }) });
  },
};

process.on("message", async (order) => {
  if (order === "go") {
    const latencies = [];
    const end = performance.now() + seconds * 1_000;
    const call = async (caller) => {
      while (performance.now() < end) {
        const startedAt = performance.now();
        await works[work](caller);
        latencies.push(performance.now() - startedAt);
      }
    };
    await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
    latencies.sort((a, b) => a - b);
    process.send({ done: latencies.length, p50: latencies[Math.floor(latencies.length / 2)] ?? 0 });
  } else if (order.streams !== undefined) process.send(await countQueries(order.streams));
  else {
    await store.close();
    process.disconnect();
  }
});
process.send("ready");

/** How many queries it takes that so many streams see 20 records, which are written one after another. */
async function countQueries(streams) {
  const controller = new AbortController();
  const { setMaxListeners } = await import("node:events");
  setMaxListeners(0, controller.signal);
  const seen = Array.from({ length: streams }, () => 0);
  const since = await store.sequence();
  const running = [];
  for (const index of seen.keys()) {
    running.push(
      (async () => {
        for await (const _change of store.changes({ since, signal: controller.signal })) seen[index] += 1;
      })(),
    );
    if (index % 50 === 49) await store.sequence(); // not all at the same moment
  }
  const all = async (wanted) => {
    while (seen.some((one) => one < wanted)) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await works.records();
  await all(1);
  const before = storeStats(store).queries.count;
  for (let index = 0; index < 20; index++) {
    await works.records();
    await all(index + 2);
  }
  const queries = storeStats(store).queries.count - before;
  controller.abort();
  await Promise.all(running);
  return { queries };
}
