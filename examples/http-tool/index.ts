// A tool that is nothing but a record: an HTTP endpoint, described as data.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
// #region imports
import { createMemorySecrets, createRegistry } from "@toolrack/core";
import { createMemoryStore, recordSource } from "@toolrack/store";
// #endregion

const server = createServer((request, response) => {
  const isKnown = request.headers.authorization === "Bearer s3cret-value";
  response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
  response.end(JSON.stringify({ asked: request.url, sky: "clear" }));
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

// #region record
const store = createMemoryStore();
await store.put({
  schema_name: "tool.definition.v1",
  title: "Weather",
  tags: ["tool:definition"],
  context: {
    name: "weather",
    description: "Tells the weather in a city.",
    inputSchema: { type: "object", properties: { city: { type: "string" }, days: { type: "integer", maximum: 7 } }, required: ["city"] },
    implementation: {
      kind: "http",
      endpoint: `http://${host}/forecast/{city}`,
      auth: { type: "bearer", secret: "secret:WEATHER_KEY" },
    },
  },
});
// #endregion

// #region source
const secrets = createMemorySecrets({ WEATHER_KEY: "s3cret-value" });
const registry = createRegistry({ secrets });
await registry.addSource(recordSource(store, { fetch: { allowHosts: [host] } })); // without allowHosts: the public internet only
const result = await registry.invoke("weather", { city: "São Paulo", days: 2 });
console.log(result.ok ? result.content : result.error);
// #endregion
assert(result.ok);
assert.deepEqual(result.data, { asked: "/forecast/S%C3%A3o%20Paulo?days=2", sky: "clear" });
await registry.close();
await store.close();
server.close();
