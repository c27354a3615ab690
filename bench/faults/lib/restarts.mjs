import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "./open.mjs";

/** Restarts the server under load. Writers must succeed or be told that they may retry; readers must miss and repeat nothing. */
export async function runRestarts({ storeModule, target, restart, rounds, writers = 8, onRound = () => undefined }) {
  const store = await openStore(storeModule, target);
  const counts = { restarts: 0, acknowledged: 0, retried: 0, unclear: [], seen: 0, lost: 0, gaps: [] };
  const acknowledged = new Set();
  const seen = new Set();
  const controller = new AbortController();
  const reading = (async () => {
    for await (const { sequence, record } of store.changes({ since: 0, signal: controller.signal })) {
      if (sequence !== counts.seen + 1) counts.gaps.push(sequence);
      counts.seen = sequence;
      seen.add(record.id);
    }
  })();
  let isOver = false;
  const writing = Array.from({ length: writers }, async (_, writer) => {
    for (let index = 0; !isOver; index++) {
      const id = `w${writer}-${index}`;
      try {
        const result = await store.put({ id, schema_name: "note.v1", title: id, context: {} });
        if (result.ok) acknowledged.add(id);
      } catch (error) {
        if (error.retryable === true) counts.retried += 1;
        else counts.unclear.push(error.message);
        await sleep(20);
      }
    }
  });
  for (let round = 0; round < rounds; round++) {
    await sleep(200);
    await restart(["SIGINT", "SIGQUIT", "SIGKILL"][round % 3]);
    counts.restarts += 1;
    counts.acknowledged = acknowledged.size;
    onRound(counts);
  }
  await sleep(300);
  isOver = true;
  await Promise.all(writing);
  // A connection that the restart cut may say so only when it is used again.
  const last = await store.sequence().catch(() => sleep(500).then(() => store.sequence()));
  for (let tries = 0; counts.seen < last && tries < 200; tries++) await sleep(50);
  controller.abort();
  await reading;
  counts.acknowledged = acknowledged.size;
  counts.lost = [...acknowledged].filter((id) => !seen.has(id)).length;
  await store.close();
  return counts;
}
