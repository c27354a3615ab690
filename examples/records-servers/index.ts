// What servers on one store share: settings that refer to secrets, calls interrupted by a crash, idempotent answers, sessions of agents.
import assert from "node:assert/strict";
// #region imports
import { randomBytes } from "node:crypto";
import { createRegistry, defineTool } from "@toolrack/core";
import {
  createAnswers,
  createCallLog,
  createConfigs,
  createKeys,
  createMemoryStore,
  createSecrets,
  createSessionStore,
} from "@toolrack/store";

const store = createMemoryStore();
const secrets = await createSecrets(store, { keys: createKeys({ current: randomBytes(32) }) });
const config = await createConfigs(store);
// #endregion

// #region references
const ask = defineTool({
  name: "ask",
  description: "Asks a model.",
  inputSchema: { type: "object" },
  metadata: { secrets: ["model-key"] },
  handler: (_input, context) => {
    const { apiKey, model } = context.config as { apiKey: string; model: string };
    return `${model}, with a key of ${apiKey.length} characters`;
  },
});
await secrets.set("model-key", "s3cret-value");
await config.save("ask", { apiKey: "secret:model-key", model: "small" });
// #endregion

// #region server
const calls = createCallLog(store, { server: "server-1", redaction: { values: () => secrets.seenValues() } });
const registry = createRegistry({ config, secrets, recorder: calls });
registry.register(ask);
const result = await registry.invoke("ask", {});
console.log(result.ok && result.content);
// #endregion
assert(result.ok);

// #region abandon
const crashed = createCallLog(store, { server: "server-0" }); // another server, which ends in the middle of a call
await crashed.begin!({ callId: "call-1", tool: "ask", input: {}, caller: { agent: "planner" }, startedAt: Date.now() });

for (const call of await calls.running()) console.log(`${call.callId} of ${call.server}`);
console.log(await calls.abandon("server-0"), "aborted:", (await calls.show("call-1"))?.error?.message);
// #endregion
assert.deepEqual(await calls.running(), []);

// #region answers
const answers = createAnswers(store);
const order = { key: "planner order-17", request: { item: "book" }, make: async () => ({ order: 4711 }) };
for (const times of [1, 2]) {
  const answer = await answers.once(order);
  console.log(times, answer.outcome === "answered" && { isFirst: answer.isFirst, ...answer.value });
}
console.log((await answers.once({ ...order, request: { item: "lamp" } })).outcome);
// #endregion

// #region sessions
const sessions = createSessionStore(store);
const main = await sessions.create({ key: "agent:planner:main", agent: "planner", kind: "main" });
const child = await sessions.create({ key: "agent:planner:subagent:1", agent: "planner", kind: "subagent", parent: main.id });
const lease = await sessions.acquire(main.id, "server-1", 30_000);
await sessions.end(child.id, { text: "Two rooms are free.", status: "done" });
const { taken, last } = await sessions.takeInbox(main.id, { after: main.last, ...(lease && { lease }) });
console.log(last, taken[0]?.from, taken[0]?.content);
// #endregion
assert.equal((await sessions.get(child.key))?.status, "ended");

await registry.close();
await secrets.close();
await config.close();
await store.close();
