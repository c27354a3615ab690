import { createFakeClock } from "@toolrack/core/testing";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";
import { startSwitchedApi } from "../rack/sources/switched-api.ts";

async function ready({ request }: TestServer): Promise<{ readonly status: number; readonly body: any }> {
  const response = await request("GET", "/ready", { key: "" });
  return { status: response.status, body: await response.json() };
}

it("a server is not ready until the sources that it requires are there, and names them", async () => {
  const api = await startSwitchedApi("away");
  const clock = createFakeClock();
  const rack = await openTestRack({
    config: { store: { memory: true }, sources: { pets: { ...api.source, required: true }, other: { ...api.source } } },
    clock,
  });
  const server = serverOver(rack);
  expect(await ready(server)).toMatchObject({
    status: 503,
    body: { status: "not-ready", checks: { store: "ok", requiredSources: "starting" }, missingSources: ["pets"] },
  });
  await rack.sources.ready();
  api.document = "there";
  await until(async () => {
    await clock.advance(60_000);
    return rack.sources.list().every(({ state }) => state === "ready");
  });
  await until(async () => (await ready(server)).status === 200);
  expect((await ready(server)).body).toMatchObject({ status: "ready", checks: { sources: "ok", requiredSources: "ok" } });
  expect((await ready(server)).body.missingSources).toBeUndefined();

  api.document = "away";
  await rack.sources.refresh("pets");
  await until(async () => (await ready(server)).status === 503);
  expect((await ready(server)).body).toMatchObject({ checks: { requiredSources: "failed" }, missingSources: ["pets"] });
  expect((await server.ask("GET", "/health")).body.problems).toContainEqual(expect.stringContaining("pets (failed)"));
});

it("a source that nobody requires leaves the server ready, and so does a required one that is switched off", async () => {
  const api = await startSwitchedApi("away");
  const sources = { pets: api.source, off: { ...api.source, required: true, enabled: false } };
  const rack = await openTestRack({ config: { store: { memory: true }, sources } });
  await rack.sources.ready();
  expect(await ready(serverOver(rack))).toMatchObject({ status: 200, body: { checks: { sources: "failed", requiredSources: "ok" } } });
});
