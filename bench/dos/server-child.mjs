import { monitorEventLoopDelay } from "node:perf_hooks";

/**
 * Started with `{ modules, folder, logged }`. Tells where the server is and the keys of two callers without a role; then, as often as it is
 * asked, how long the event loop stood still at most since the last time, and how much memory is used.
 */
process.once("message", async ({ modules, folder, logged }) => {
  const { openRack, serve } = await import(modules.server);
  const quiet = () => undefined;
  const rack = await openRack({
    environment: {},
    config: { store: { sqlite: `${folder}/dos.db` }, tools: { packs: { utility: true } }, agents: { hostile: {}, other: {} } },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  const keyOf = async (agent) => (await rack.keys.create({ agent, roles: [], by: "bench" })).secret;
  const keys = { hostile: await keyOf("hostile"), other: await keyOf("other") };
  await fill(rack, logged);
  const served = await serve(rack, { port: 0, consoleFolder: false });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on("message", () => {
    process.send({ delayMs: delay.max / 1e6, memory: process.memoryUsage().rss });
    delay.reset();
  });
  process.send({ url: served.url, keys });
});
process.once("disconnect", () => process.exit(0));

/** Calls of the hostile caller, each with a few kilobytes, and records with words that exclude each other. */
async function fill(rack, logged) {
  const text = "x".repeat(2_000);
  for (let done = 0; done < logged; done += 500) {
    await Promise.all(
      Array.from({ length: 500 }, (_, index) => {
        const meta = { callId: `c${done + index}`, tool: `t${index % 20}`, durationMs: index };
        const result = { ok: true, content: text, meta };
        return rack.calls.record({
          callId: meta.callId,
          tool: meta.tool,
          input: { text },
          caller: { agent: "hostile" },
          startedAt: Date.now(),
          result,
        });
      }),
    );
  }
  const records = Math.min(4_000, logged);
  for (let done = 0; done < records; done += 100) {
    await rack.store.transaction(async (store) => {
      for (let index = 0; index < 100; index++) await store.put(recordOf(done + index));
    });
  }
}

function recordOf(index) {
  return { schema_name: "bench.fruit.v1", title: index % 2 === 0 ? "apple" : "pear", tags: [], context: { index }, visibility: "public" };
}
