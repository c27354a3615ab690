import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRegistry } from "@toolrack/core";
import { createFakeClock, type FakeClock, fakeTool } from "@toolrack/core/testing";
import { serveMcp } from "@toolrack/mcp";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { hasNats, startNats } from "@toolrack/testkit/nats";
import { freePort } from "@toolrack/testkit/ports";
import { petsDocument } from "@toolrack/testkit/pets-api";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import type { Rack, SourceInfo } from "../../../src/rack/rack.ts";

const program = fileURLToPath(new URL("../programs/mcp-server.mjs", import.meta.url));

interface Opened {
  readonly rack: Rack;
  readonly clock: FakeClock;
  state(): SourceInfo;
}

/** A rack whose one source is away, and required where a source can be. */
async function openAway(config: RackConfig, id: string, folder: string = temporaryFolder()): Promise<Opened> {
  const clock = createFakeClock();
  const sources = Object.fromEntries(Object.entries(config.sources ?? {}).map(([name, one]) => [name, { ...one, required: true }]));
  const rack = await openTestRack({ config: { store: { memory: true }, ...config, sources }, folder, clock });
  await rack.sources.ready();
  const state = (): SourceInfo => rack.sources.list().find((source) => source.id === id)!;
  expect(state()).toMatchObject({ state: "failed", error: expect.any(String), retryAt: expect.any(Number) });
  const missingSources = Object.keys(sources);
  expect(await rack.readiness.check()).toMatchObject({ isReady: missingSources.length === 0, missingSources });
  return { rack, clock, state };
}

/** Nobody refreshes it. */
async function comesBack({ rack, clock, state }: Opened): Promise<SourceInfo> {
  await until(
    async () => {
      await clock.advance(60_000);
      return state().state === "ready";
    },
    `The source stayed away: ${JSON.stringify(state())}`,
  );
  expect(state().retryAt).toBeUndefined();
  await until(async () => (await rack.readiness.check()).isReady);
  return state();
}

describe("a source that was away when the server started comes back by itself", () => {
  it("an OpenAPI document", async () => {
    let isAway = true;
    const api = await startLoopback((_, response) => (isAway ? response.writeHead(503).end() : sendJson(response, petsDocument(api.url))));
    afterThisTest(() => api[Symbol.asyncDispose]());
    const openapi = { url: `${api.url}/openapi.json`, allowHosts: [api.host], secrets: { api_key: "api_key" } };
    const opened = await openAway({ sources: { pets: { openapi } } }, "pets");
    isAway = false;
    expect((await comesBack(opened)).tools).toContain("pets__listPets");
  });

  it("an MCP server that is a program", async () => {
    const folder = temporaryFolder();
    const [late, needed] = [join(folder, "late.mjs"), join(folder, "needed")];
    const isThere = `(await import("node:fs")).existsSync(${JSON.stringify(needed)})`;
    writeFileSync(late, `if (${isThere}) await import(${JSON.stringify(program)});\n`);
    const opened = await openAway({ sources: { small: { command: process.execPath, args: [late] } } }, "small");
    writeFileSync(needed, "");
    expect((await comesBack(opened)).tools).toContain("small__say");
  });

  it("an MCP server with an address", async () => {
    const port = await freePort();
    const sources = { remote: { url: `http://127.0.0.1:${port}/mcp`, allowHosts: [`127.0.0.1:${port}`] } };
    const opened = await openAway({ sources }, "remote");
    const registry = createRegistry();
    registry.register(fakeTool({ name: "lookup" }));
    const endpoint = serveMcp(registry);
    const server = createServer((request, response) => endpoint.node(request, response)).listen(port, "127.0.0.1");
    afterThisTest(async () => {
      server.closeAllConnections();
      server.close();
      await endpoint.close();
    });
    expect((await comesBack(opened)).tools).toEqual(["remote__lookup"]);
  });

  it.skipIf(!hasNats)("a pool of workers over NATS", async () => {
    const nats = await startNats([{ user: "rack", password: "rack" }]);
    afterThisTest(() => nats.stop());
    await nats.end();
    const keys = [`ed25519:${"A".repeat(43)}`];
    const opened = await openAway(
      { sources: { gpu: { workers: { connect: nats.url, keys, user: "rack", password: "secret:broker" } } } },
      "gpu",
    );
    await opened.rack.secrets.set("broker", "rack");
    expect(await opened.rack.sources.refresh("gpu")).toMatchObject({ state: "failed", error: expect.stringContaining("The broker at") });
    await nats.start();
    await comesBack(opened);
  });

  it("a module", async () => {
    const folder = temporaryFolder();
    const opened = await openAway({ tools: { modules: ["./late.mjs"] } }, "module:./late.mjs", folder);
    const tool = `{ name: "late", description: "Came late.", inputSchema: { type: "object" }, handler: () => "here" }`;
    writeFileSync(join(folder, "late.mjs"), `export default [${tool}];\n`);
    expect((await comesBack(opened)).tools).toEqual(["late"]);
  });
});
