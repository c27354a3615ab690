// The HTTP API from a client's side: keys, calls, progress, configuration with ETags, history, and events that go on after a break.
import assert from "node:assert/strict";
// #region imports
import { defineTool } from "@toolrack/core";
import { openRack, serve } from "@toolrack/server";
// #endregion

const greet = defineTool({
  name: "greet",
  description: "Greets somebody.",
  inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  metadata: { configSchema: { type: "object", properties: { greeting: { type: "string" } }, required: ["greeting"] } },
  handler({ name }, { config, progress }) {
    progress({ message: "looking for words" });
    return `${(config as { greeting: string }).greeting}, ${name}!`;
  },
});

// #region serve
const rack = await openRack({ config: { store: { memory: true }, agents: { anna: {} } }, tools: [greet] });
const server = await serve(rack, { port: 0 }); // any free port of this machine
// #endregion

// #region key
// Once there is a key, everybody has to sign in.
const { secret } = await rack.keys.create({ agent: "anna", roles: ["curator"], by: "setup" });
const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json", ...init.headers },
  });
// #endregion

// #region config
const saved = await ask("/configs/greet", { method: "PUT", body: JSON.stringify({ greeting: "Hello" }) });
const etag = saved.headers.get("etag")!; // "1"
const body = JSON.stringify({ greeting: "Good day" });
const changed = await ask("/configs/greet", { method: "PUT", body, headers: { "if-match": etag } });
const stale = await ask("/configs/greet", { method: "PUT", body, headers: { "if-match": etag } });
console.log(saved.status, changed.status, stale.status);
// #endregion
assert.deepEqual([saved.status, changed.status, stale.status], [200, 200, 412]);

// #region call
const call = (input: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  ask("/tools/greet/call", { method: "POST", body: JSON.stringify({ input }), headers });
const right = (await (await call({ name: "Bert" })).json()) as { content: string };
const wrong = (await (await call({ nmae: "Bert" })).json()) as { code: string; detail: string };
console.log(right.content);
console.log(wrong.code, wrong.detail);
// #endregion
assert.equal(right.content, "Good day, Bert!");
assert.equal(wrong.code, "INPUT_INVALID");

// #region once
const once = { "idempotency-key": "7f1c0e52" };
const [first, again] = [await (await call({ name: "Cora" }, once)).text(), await (await call({ name: "Cora" }, once)).text()];
console.log(first === again);
// #endregion
assert.equal(first, again);

// #region progress
const stream = await call({ name: "Dora" }, { accept: "text/event-stream" });
for (const line of (await stream.text()).split("\n")) if (line.startsWith("event:")) console.log(line);
// #endregion

// #region events
const leave = new AbortController();
const events = await ask("/events?types=call-end&tool=greet", { signal: leave.signal, headers: { "last-event-id": "0.0" } });
const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
let seen = "";
while (!seen.includes("event: call-end")) seen += (await reader.read()).value ?? "";
leave.abort();
// #endregion
assert.match(seen, /^id: \d+\.\d+$/m);

await server.close(); // calls under way may end, then the rack is closed, too
