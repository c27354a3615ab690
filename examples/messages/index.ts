// Messages: the pack "messages", with a receiver on this machine.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
// #region imports
import { createMemorySecrets, createRegistry } from "@toolrack/core";
import { createMessageTools } from "@toolrack/tools";
// #endregion

const received: unknown[] = [];
const server = createServer(async (request, response) => {
  received.push(JSON.parse(await text(request)));
  response.setHeader("content-type", "application/json").end(JSON.stringify({ id: `m${received.length}` }));
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/desk`;

// #region messages
const registry = createRegistry({ secrets: createMemorySecrets({ "desk-token": "token-of-the-desk" }) });
const tools = createMessageTools({
  channels: { desk: { type: "webhook", url, secret: "desk-token", recipients: ["kitchen", "bar"] } },
});
for (const tool of tools) registry.register(tool);

const tea = { action: "send", channel: "desk", target: "kitchen", message: "Tea for two." };
const sent = await registry.invoke("message", tea, { callId: "order-7" });
const again = await registry.invoke("message", tea, { callId: "order-7" }); // made again after a crash: not sent again
const other = await registry.invoke("message", { ...tea, target: "everyone" });
for (const result of [sent, again, other]) console.log(result.ok ? JSON.stringify(result.data) : result.error);
// #endregion
assert.deepEqual(received, [{ to: "kitchen", text: "Tea for two." }]);
server.close();
