import { createFakeClock } from "@toolrack/core/testing";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import type { OpenRackOptions } from "../../../src/rack/open.ts";
import type { Rack } from "../../../src/rack/rack.ts";
import { startSwitchedApi, type SwitchedApi } from "./switched-api.ts";

const tool = "pets__listPets";

/** A server whose source was there once, and is away now. */
async function openKnown(
  more: RackConfig = {},
  options: OpenRackOptions = {},
): Promise<{ readonly api: SwitchedApi; readonly rack: Rack; readonly server: TestServer }> {
  const api = await startSwitchedApi("there");
  const folder = temporaryFolder();
  const config = { sources: { pets: api.source } };
  const before = await openTestRack({ folder, config });
  await before.sources.ready();
  expect(before.registry.has(tool)).toBe(true);
  await before.close({ graceMs: 0 });
  api.document = "away";
  const rack = await openTestRack({ folder, config: { ...config, ...more }, ...options });
  await rack.sources.ready();
  return { api, rack, server: serverOver(rack) };
}

describe("a known tool of a source that is away", () => {
  it("is unavailable, with the name of the source and the time of the next attempt", async () => {
    const { rack, server } = await openKnown();
    const result = await rack.call(tool, {}, { caller: { agent: "anna" } }).result;
    expect(result).toMatchObject({ ok: false, code: "TOOL_UNAVAILABLE", retryable: true, retryAfterMs: expect.any(Number) });
    expect(result.ok || result.error).toMatch(
      /^Tool "pets__listPets" belongs to the source "openapi:pets", which cannot be reached\. The source is tried again in \d+ s\.$/,
    );
    const called = await server.request("POST", `/api/v1/tools/${tool}/call`, { body: {} });
    expect(called.status).toBe(503);
    expect(Number(called.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await server.ask("GET", `/tools/${tool}`)).toMatchObject({ status: 503, body: { code: "TOOL_UNAVAILABLE" } });
  });

  it("is told apart from a name that no tool ever had", async () => {
    const { server } = await openKnown();
    expect(await server.ask("POST", "/tools/pets__listCats/call", {})).toMatchObject({ status: 404, body: { code: "TOOL_NOT_FOUND" } });
  });

  it("is not found for a caller whose policy hides it", async () => {
    const { rack } = await openKnown({ policy: { agents: { limited: { tools: { deny: [tool] } } } } });
    const result = await rack.call(tool, {}, { caller: { agent: "limited" } }).result;
    expect(result).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
  });

  it("is there again once the source is", async () => {
    const clock = createFakeClock();
    const { api, rack } = await openKnown({}, { clock });
    expect(await rack.call(tool, {}, { caller: {} }).result).toMatchObject({ ok: false, code: "TOOL_UNAVAILABLE" });
    api.document = "there";
    await until(async () => {
      await clock.advance(60_000);
      return rack.registry.has(tool);
    });
    expect(await rack.call(tool, {}, { caller: {} }).result).toMatchObject({ ok: true, data: [{ name: "Rex" }] });
  });
});

describe("what needs a tool of a source that is away", () => {
  it("a job waits for the source, says so, and uses no try", async () => {
    const { api, rack, server } = await openKnown();
    const made = await server.ask("POST", `/tools/${tool}/call`, { mode: "job" });
    expect(made.status).toBe(202);
    const { id } = made.body.data.job;
    await until(async () => (await rack.jobs.get(id))?.error !== undefined);
    expect(await rack.jobs.get(id)).toMatchObject({ state: "waiting", failed: 0, error: { code: "TOOL_UNAVAILABLE" } });
    api.document = "there";
    await until(async () => (await rack.jobs.get(id))?.endedAt !== undefined);
    expect(await rack.jobs.get(id)).toMatchObject({ state: "done", attempt: 1 });
  });

  it("a trigger and a schedule of the file are used at once", async () => {
    const { rack } = await openKnown({
      triggers: { onNote: { on: { schema_name: "note.v1" }, tool, agent: "bot" } },
      schedules: { nightly: { tool, cron: "0 3 * * *", tz: "UTC", agent: "bot" } },
    });
    await until(() => rack.automation.triggers.list().length + rack.automation.schedules.list().length === 2);
    expect(rack.automation.triggers.get("onNote")).toMatchObject({ state: "active" });
  });
});

describe("what needs a tool that no server has seen yet", () => {
  it("a tool of `startup` is called when its source has come", async () => {
    const api = await startSwitchedApi("away");
    const rack = await openTestRack({ config: { store: { memory: true }, sources: { pets: api.source }, startup: { [tool]: {} } } });
    await until(async () => (await rack.jobs.startup())[0]?.error !== undefined);
    expect((await rack.jobs.startup())[0]).toMatchObject({ state: "pending", error: expect.stringContaining("openapi:pets") });
    api.document = "there";
    await until(async () => (await rack.jobs.startup())[0]?.state === "done");
  });

  it("a trigger of the file is used when its source has come, and its mistake is logged once", async () => {
    const api = await startSwitchedApi("away");
    const clock = createFakeClock();
    const errors: string[] = [];
    const nothing = (): void => undefined;
    const log = { debug: nothing, info: nothing, warn: nothing, error: (text: string) => void errors.push(text) };
    const triggers = { onNote: { on: { schema_name: "note.v1" }, tool, agent: "bot" } };
    const rack = await openTestRack({ config: { store: { memory: true }, sources: { pets: api.source }, triggers }, clock, log });
    await until(() => errors.some((text) => text.includes("onNote")));
    await rack.sources.refresh("pets");
    api.document = "there";
    await until(async () => {
      await clock.advance(60_000);
      return rack.automation.triggers.get("onNote") !== undefined;
    });
    expect(errors.filter((text) => text.includes("onNote"))).toHaveLength(1);
  });
});

describe("a source that is still connecting", () => {
  it("is waited for by a call of a name that no tool has", async () => {
    const api = await startSwitchedApi("slow");
    const rack = await openTestRack({ config: { store: { memory: true }, sources: { pets: api.source } } });
    const call = rack.call(tool, {}, { caller: {} });
    await until(() => rack.sources.list().some(({ id, state }) => id === "pets" && state === "starting"));
    api.release();
    expect(await call.result).toMatchObject({ ok: true });
  });

  it("is waited for by a list of tools over MCP, and by nothing else", async () => {
    const api = await startSwitchedApi("slow");
    const rack = await openTestRack({ config: { store: { memory: true }, sources: { pets: api.source } } });
    const server = serverOver(rack);
    const mcp = async (method: string, params: object = {}): Promise<any> => {
      const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" };
      const response = await server.request("POST", "/mcp", { headers, body: { jsonrpc: "2.0", id: 1, method, params } });
      const text = await response.text();
      return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
    };
    const list = mcp("tools/list");
    const called = await mcp("tools/call", { name: "calculator", arguments: { expression: "6 * 7" } });
    expect(called).toMatchObject({ content: [{ text: expect.stringContaining("42") }] });
    expect(rack.registry.has(tool)).toBe(false);
    api.release();
    expect((await list).tools.map(({ name }: { name: string }) => name)).toContain(tool);
  });

  it("is waited for ten seconds at most", async () => {
    const api = await startSwitchedApi("slow");
    const clock = createFakeClock();
    const rack = await openTestRack({ config: { store: { memory: true }, sources: { pets: api.source } }, clock });
    const call = rack.call(tool, {}, { caller: {} });
    await until(() => rack.sources.list().some(({ id, state }) => id === "pets" && state === "starting"));
    await until(async () => {
      await clock.advance(10_000);
      return rack.sources.gathered() === undefined;
    });
    expect(await call.result).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
    api.release();
  });
});
