import { createFakeClock } from "@toolrack/core/testing";
import { type BreadcrumbStore, createMemoryStore, type JsonObject } from "@toolrack/store";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { serverActor } from "../../../src/rack/store/open-store.ts";
import { openWhole, owner, type Whole } from "./_automation.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
const title = "Quarterly figures";
const spec = { tool: "note", input: { title }, everyMs: 60_000 };
const mapping = { title: { value: title } };
const runsAs = { agent: "anna", principal: "key anna", roles: ["curator"] };

function open(): { readonly store: BreadcrumbStore; readonly inner: BreadcrumbStore; start(): Promise<Whole> } {
  const clock = createFakeClock(start);
  const store = createMemoryStore({ clock });
  return {
    store,
    inner: store.as(serverActor),
    async start() {
      const whole = await openWhole(store, clock);
      whole.automation.begin();
      return whole;
    },
  };
}

async function contentOf(inner: BreadcrumbStore, id: string): Promise<JsonObject> {
  return (await inner.get(id))!.context;
}

/** Whether the input can be read in what the store keeps, or found by its words. */
async function isInClear(inner: BreadcrumbStore): Promise<boolean> {
  const all = JSON.stringify(await inner.searchBreadcrumbs({ includeContext: true }));
  const { records } = await inner.search({ text: "quarterly" });
  return all.includes("Quarterly") || records.length > 0;
}

async function firstRun(whole: Whole, schedule: string): Promise<unknown> {
  await whole.automation.schedules.run(schedule, "owner");
  await until(() => whole.ran.length > 0);
  return whole.ran[0]!.input;
}

describe("TD5: the inputs of what runs by itself", () => {
  it("are sealed in the store and found by no search, and the tool gets them", async () => {
    const { inner, start } = open();
    const whole = await start();
    const { schedules, triggers, receivers } = whole.automation;
    await schedules.add({ id: "daily", spec, caller: owner, by: "owner" });
    await triggers.add({
      id: "news",
      spec: { tool: "note", on: { schema_name: "news.v1" }, input: mapping },
      caller: { ...owner, agent: "anna", principal: "key anna" },
      by: "owner",
    });
    await receivers.add("news", { tool: "note", agent: "anna", input: mapping }, "owner");
    expect(await isInClear(inner)).toBe(false);
    expect((await inner.search({ text: "daily" })).records).toHaveLength(1);
    expect(await firstRun(whole, "daily")).toEqual({ title });
    await whole.store.put({ id: "n1", schema_name: "news.v1", title: "News", context: {} });
    await until(() => whole.ran.length > 1, "The trigger called nothing.");
    expect(whole.ran[1]!.input).toEqual({ title });
  });

  it("that an earlier version stored in clear still work, and are sealed when the server starts", async () => {
    const { inner, start } = open();
    const kept = { by: "owner", madeAt: 1, origin: "api" };
    const old = [
      ["schedule-daily", "agent.schedule.v1", { ...kept, id: "daily", spec, maker: runsAs, depth: 0, state: "active", nextAt: 2e12 }],
      ["hook-news", "webhook.receiver.v1", { ...kept, id: "news", spec: { tool: "note", agent: "anna", input: mapping }, secrets: [] }],
    ] as const;
    for (const [id, schema_name, context] of old) await inner.put({ id, schema_name, title: id, context });
    expect(await isInClear(inner)).toBe(true);
    const whole = await start();
    await expect.poll(() => isInClear(inner)).toBe(false);
    expect(await contentOf(inner, "schedule-daily")).toMatchObject({ state: "active", nextAt: 2e12, maker: runsAs });
    expect(await whole.automation.schedules.get("daily")).toMatchObject({ state: "active", spec });
    expect(whole.automation.receivers.get("news")).toMatchObject({ spec: { input: mapping } });
    expect(await firstRun(whole, "daily")).toEqual({ title });
  });

  it.each<[string, (content: any, other: any) => object]>([
    ["with another maker", (content) => ({ ...content, maker: { ...content.maker, agent: "boss" } })],
    ["with another tool", (content) => ({ ...content, spec: { ...content.spec, tool: "echo" } })],
    ["with the input of another one", (content, other) => ({ ...content, spec: { ...content.spec, input: other.spec.input } })],
  ])("are not run where somebody else changed them in the store: %s", async (_what, change) => {
    const { inner, start } = open();
    const first = await start();
    await first.automation.schedules.add({ id: "daily", spec, caller: owner, by: "owner" });
    await first.automation.schedules.add({ id: "other", spec: { ...spec, input: { title: "Other" } }, caller: owner, by: "owner" });
    const record = (await inner.get("schedule-daily"))!;
    const context = change(record.context, await contentOf(inner, "schedule-other")) as JsonObject;
    await first.close();
    await inner.put({ id: record.id, schema_name: record.schema_name, title: record.title, context, version: record.version });
    const { automation, ran } = await start();
    const { schedules } = automation;
    expect(await schedules.get("daily")).toMatchObject({
      state: "paused",
      pausedBy: "server",
      reason: expect.stringMatching(/was changed/),
    });
    await expect(schedules.run("daily", "owner", true)).rejects.toThrow(/cannot be run.*remove it, and make it again/);
    await expect(schedules.resume("daily", "owner", true)).rejects.toThrow(/cannot be read/);
    expect(ran).toEqual([]);
    expect(await schedules.remove("daily", "owner")).toBe(true);
    await schedules.add({ id: "daily", spec, caller: owner, by: "owner" });
    expect(await schedules.get("daily")).toMatchObject({ state: "active", spec });
  });
});
