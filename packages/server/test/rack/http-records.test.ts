import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@toolrack/server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { freePort } from "@toolrack/testkit/ports";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../src/config/config.ts";
import type { Rack } from "../../src/rack/rack.ts";

/** An endpoint on this machine; returns its port. */
async function endpoint(answer: unknown): Promise<number> {
  const server = createServer((_, response) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => void server.closeAllConnections());
  afterThisTest(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

const caller = { owner: true, agent: "local" };

async function rackWith(url: string, tools: RackConfig["tools"], implementation: object = {}): Promise<Rack> {
  const rack = await openTestRack({ config: { store: { memory: true }, tools: { outputValidation: "strict", ...tools } } });
  await rack.store.put({
    schema_name: "tool.definition.v1",
    title: "Weather",
    tags: ["tool:definition"],
    context: {
      name: "weather",
      description: "Tells the weather.",
      inputSchema: { type: "object" },
      outputSchema: { type: "object", properties: { sky: { type: "string" } }, required: ["sky"] },
      implementation: { kind: "http", endpoint: url, ...implementation },
    },
  });
  await until(() => rack.registry.has("weather"));
  return rack;
}

const weather = async (rack: Rack) => rack.call("weather", {}, { caller }).result;

describe("tools.records.allowHosts", () => {
  // row: C21
  it("lets HTTP records reach a private host that it names, whose answers are validated", async () => {
    const [good, bad] = [await endpoint({ sky: "clear" }), await endpoint({ sky: 7 })];
    const records = { allowHosts: [`127.0.0.1:${good}`, `127.0.0.1:${bad}`] };
    expect(await weather(await rackWith(`http://127.0.0.1:${good}/`, { records }))).toMatchObject({ ok: true, data: { sky: "clear" } });
    expect(await weather(await rackWith(`http://127.0.0.1:${bad}/`, { records }))).toMatchObject({ ok: false, code: "OUTPUT_INVALID" });
  });

  it("is named by the error of every other private host", async () => {
    const port = await endpoint({ sky: "clear" });
    const refused = { ok: false, error: expect.stringContaining("add it to tools.records.allowHosts.") };
    expect(await weather(await rackWith(`http://127.0.0.1:${port}/`, {}))).toMatchObject(refused);
    expect(await weather(await rackWith(`http://localhost:${port}/`, { records: { allowHosts: ["127.0.0.1"] } }))).toMatchObject(refused);
  });

  it("opens no way to the server itself, unless it names the address with its port", async () => {
    for (const isNamed of [false, true]) {
      const port = await freePort();
      const records = { allowHosts: isNamed ? [`127.0.0.1:${port}`] : ["127.0.0.1"] };
      const rack = await rackWith(`http://127.0.0.1:${port}/healthz`, { records });
      const { close } = await serve(rack, { port, consoleFolder: false });
      afterThisTest(() => close({ graceMs: 0 }));
      const refusal = { ok: false, error: expect.stringMatching(/leads to this server.*tools\.records\.allowHosts/) };
      const result = await weather(rack);
      if (isNamed) expect(result).not.toMatchObject(refusal);
      else expect(result).toMatchObject(refusal);
    }
  });

  it("is not widened by a record or a setting, whoever writes it", async () => {
    const port = await endpoint({ sky: "clear" });
    const host = `127.0.0.1:${port}`;
    const rack = await rackWith(`http://${host}/`, {}, { allowHosts: [host], fetch: { allowHosts: [host] } });
    const { ask, as } = serverOver(rack);
    const curator = await as("cora", "curator");
    for (const one of [curator, ask]) {
      for (const [key, value] of Object.entries({ "tools.records": { allowHosts: [host] }, "tools.records.allowHosts": [host] })) {
        expect((await one("PUT", `/settings/${key}`, { value })).status).toBeGreaterThanOrEqual(400);
        const record = { schema_name: "toolrack.setting.v1", id: `setting-${key}`, title: key, context: { key, value } };
        await one("POST", "/breadcrumbs", record);
      }
    }
    expect(await weather(rack)).toMatchObject({ ok: false, error: expect.stringContaining("tools.records.allowHosts") });
  });

  it("takes hosts, and nothing that could match others", async () => {
    for (const wrong of ["*", "http://10.0.0.7", "10.0.0.0/8", "*.internal"])
      await expect(
        openTestRack({ config: { store: { memory: true }, tools: { records: { allowHosts: [wrong] } } } }),
        wrong,
      ).rejects.toThrow(/tools\.records\.allowHosts/);
  });
});
