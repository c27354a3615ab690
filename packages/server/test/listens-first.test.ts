import { startLoopback, sendJson } from "@toolrack/testkit/loopback";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";
import { openServer } from "../src/open-server.ts";

const document = (url: string) => ({
  openapi: "3.1.0",
  info: { title: "One", version: "1" },
  servers: [{ url }],
  paths: { "/one": { get: { operationId: "one", summary: "Read the one", responses: { "200": { description: "It." } } } } },
});

it("a server with 35 slow sources listens and answers before any of them has connected, and connects eight at a time", async () => {
  const waiting: (() => void)[] = [];
  const api = await startLoopback((_, response) => void waiting.push(() => sendJson(response, document(api.url))));
  afterThisTest(() => api[Symbol.asyncDispose]());
  const openapi = { url: `${api.url}/openapi.json`, allowHosts: [api.host] };
  const sources = Object.fromEntries(Array.from({ length: 35 }, (_, index) => [`slow${index}`, { openapi }]));
  const server = await openServer({
    config: { store: { memory: true }, sources },
    folder: temporaryFolder(),
    port: 0,
    logLevel: "silent",
    environment: {},
  });
  afterThisTest(() => server.close({ graceMs: 0 }));
  const stateOf = (path: string) => fetch(`${server.url}${path}`).then(({ status }) => status);
  expect([await stateOf("/health"), await stateOf("/ready")]).toEqual([200, 200]);
  expect(server.rack.sources.list().some(({ id, state }) => id.startsWith("slow") && state === "ready")).toBe(false);
  await until(() => waiting.length === 8);
  let most = 0;
  for (let answered = 0; answered < 35; answered++) {
    most = Math.max(most, waiting.length);
    await until(() => waiting.length > 0);
    waiting.shift()!();
  }
  await server.rack.sources.ready();
  expect(most).toBeLessThanOrEqual(8);
  expect(server.rack.sources.list().filter(({ id, state }) => id.startsWith("slow") && state === "ready")).toHaveLength(35);
});
