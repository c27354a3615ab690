// A worker and a registry that calls its tools, connected within one process.
import assert from "node:assert/strict";
// #region imports
import { createRegistry } from "@toolrack/core";
import { createIdentity, createMemoryBroker, serveWorker, workerSource } from "@toolrack/workers";
// #endregion
import tools from "./double.ts";

// #region library
const broker = createMemoryBroker(); // for tests; a NATS broker connects machines
const [server, own] = [createIdentity(), createIdentity()];
const worker = await serveWorker({
  link: broker.connect(),
  tools,
  pool: "web",
  privateKey: own.privateKey,
  servers: [server.publicKey],
});

const registry = createRegistry();
await registry.addSource(workerSource({ link: broker.connect(), pool: "web", privateKey: server.privateKey, workers: [own.publicKey] }));
const result = await registry.invoke("double", { n: 21 });
console.log(result.ok && result.data); // { doubled: 42 }
// #endregion

assert.deepEqual(result.ok && result.data, { doubled: 42 });
await worker.drain();
await worker.close();
await registry.close();
