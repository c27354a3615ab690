import { writeSync } from "node:fs";
import { openStore } from "./open.mjs";

// A process that writes until it is killed. Each line on its output is a promise: this was acknowledged.
const [storeModule, targetText, round] = process.argv.slice(2);
const { createCallLog } = await import(storeModule);
const store = await openStore(storeModule, JSON.parse(targetText));
const calls = createCallLog(store, { server: `round-${round}` });
const say = (line) => writeSync(1, `${line}\n`);
const draft = (id) => ({ id, schema_name: "note.v1", title: id, tags: [`round:${round}`], context: { text: "x".repeat(200) } });

async function untilKilled(writer) {
  for (let index = 0; ; index++) {
    const id = `r${round}-w${writer}-${index}`;
    try {
      if (index % 5 === 4) {
        // Three records or none.
        await store.transaction(async (tx) => {
          for (const part of ["a", "b", "c"]) await tx.put(draft(`${id}-${part}`));
        });
        say(`group ${id}`);
      } else if (index % 5 === 3) {
        const call = { callId: id, tool: "t", input: { id }, caller: {}, startedAt: 0 };
        await calls.begin(call);
        say(`begin ${id}`);
        if (index % 10 === 8) continue; // runs until the process is killed
        await calls.record({ ...call, result: { ok: true, content: "x", meta: { callId: id, tool: "t", durationMs: 1 } } });
        say(`call ${id}`);
      } else {
        const result = await store.put(draft(id));
        if (!result.ok) throw new Error(result.message);
        say(`put ${id}`);
      }
    } catch (error) {
      if (error.retryable !== true) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

say("ready");
await Promise.all([untilKilled(0), untilKilled(1), untilKilled(2)]);
