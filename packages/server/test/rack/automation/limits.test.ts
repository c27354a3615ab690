import { createFakeClock } from "@toolrack/core/testing";
import { createMemoryStore } from "@toolrack/store";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { ReceivedRequest } from "../../../src/rack/automation/hooks/receivers.ts";
import type { ApiKey } from "../../../src/rack/rack.ts";
import { anna, openWhole, owner, type Whole } from "./_automation.ts";
import { startReceiver } from "./_receiver.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
const on = { schema_name: "news.v1" };

async function open(more: Parameters<typeof openWhole>[2] = {}): Promise<Whole> {
  const clock = createFakeClock(start);
  const whole = await openWhole(createMemoryStore({ clock }), clock, more);
  whole.automation.begin();
  return whole;
}

const news = (whole: Whole, title = "News") => whole.store.put({ schema_name: "news.v1", title, context: {} });

async function untilPassed(whole: Whole, holds: () => unknown, stepMs = 1_000): Promise<void> {
  await until(async () => {
    if (await holds()) return true;
    await whole.clock.advance(stepMs);
    return false;
  });
}

describe("the number of things that run by themselves", () => {
  const on9 = { url: "http://127.0.0.1:9/", on };
  const maker = (number: number) => ({ agent: `a${number}`, principal: `key a${number}`, roles: ["curator" as const] });
  const spec = { tool: "echo", everyMs: 3_600_000 };

  it.each<[string, number, (whole: Whole, number: number) => Promise<unknown>]>([
    [
      "triggers",
      200,
      ({ automation }, id) => automation.triggers.add({ id: `t${id}`, spec: { on, tool: "echo" }, caller: owner, by: "owner" }),
    ],
    ["webhooks", 100, ({ automation }, id) => automation.endpoints.add(`e${id}`, on9, "owner")],
    ["hooks", 100, ({ automation }, id) => automation.receivers.add(`r${id}`, { tool: "echo", agent: "a" }, "owner")],
    // One maker may make a hundred.
    [
      "schedules",
      1_000,
      ({ automation }, id) => automation.schedules.add({ id: `s${id}`, spec, caller: maker(Math.floor(id / 100)), by: "owner" }),
    ],
  ])("is limited: %s to %i, also where several are made at once", async (noun, most, add) => {
    const whole = await open({ allowHosts: ["127.0.0.1:9"], runs: false });
    for (let count = 0; count < most - 1; count++) await add(whole, count);
    const made = await Promise.allSettled([add(whole, most), add(whole, most + 1)]);
    expect(made.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(add(whole, most + 2)).rejects.toMatchObject({
      code: "RATE_LIMITED",
      message: `There are ${most} ${noun}, and no more may be made. Remove one first.`,
    });
  });
});

describe("a webhook that is sent", () => {
  it("is paused when too many of its deliveries wait, and says why", async () => {
    const receiver = await startReceiver(() => 500);
    const whole = await open({ allowHosts: [receiver.host], maxWaitingPerCaller: 3 });
    await whole.automation.endpoints.add("desk", { url: receiver.url, on }, "owner");
    // Those that are being sent do not wait: there is news until three have failed.
    const isPaused = async () => (await whole.automation.endpoints.get("desk"))!.state === "paused";
    await untilPassed(whole, async () => (await isPaused()) || (await news(whole), false), 10);
    expect(await whole.automation.endpoints.get("desk")).toMatchObject({
      reason: expect.stringMatching(/3 waiting jobs already.*Resume it/),
      pausedBy: "server",
    });
  });

  it("waits as long as its receiver asks for, up to ten hours", async () => {
    for (const [asked, waits] of [
      ["120", 120_000],
      ["999999", 36_000_000],
    ] as const) {
      const receiver = await startReceiver((_, response) => void response.writeHead(503, { "retry-after": asked }).end());
      const whole = await open({ allowHosts: [receiver.host] });
      await whole.automation.endpoints.add("desk", { url: receiver.url, on }, "owner");
      await news(whole);
      const one = async () => (await whole.automation.endpoints.deliveries("desk", {}))[0];
      await untilPassed(whole, async () => (await one())?.error !== undefined, 10);
      const leftMs = (await one())!.dueAt - whole.clock.now();
      expect(leftMs).toBeGreaterThan(waits - 5_000);
      expect(leftMs).toBeLessThanOrEqual(waits);
    }
  });

  it("of the file keeps the secrets that the file names", async () => {
    const { automation } = await open({ allowHosts: ["127.0.0.1:9"], runs: false });
    const hooks = {
      out: { desk: { url: "http://127.0.0.1:9/", on, secrets: ["one"] } },
      in: { tracker: { agent: "a", tool: "echo", secrets: ["two"] } },
    };
    await automation.useConfig({ hooks });
    await expect(automation.endpoints.rotate("desk", 0, "owner")).rejects.toThrow(/are named in .*hooks\.out\.desk/);
    await expect(automation.receivers.rotate("tracker", 0, "owner")).rejects.toThrow(/are named in .*hooks\.in\.tracker/);
    await expect(automation.endpoints.remove("desk", "owner")).rejects.toThrow(/Change it there/);
  });
});

describe("a webhook that is taken", () => {
  it("gives a mapping the headers that were named, and no others", async () => {
    const whole = await open();
    const { receivers } = whole.automation;
    const input = { title: { from: "/headers/x-event" }, from: { from: "/headers/x-other", default: "nobody" } };
    const { secret } = await receivers.add("tracker", { tool: "note", agent: "a", verify: "key", headers: ["x-event"], input }, "owner");
    const sent: Readonly<Record<string, string>> = { authorization: `Bearer ${secret}`, "x-event": "opened", "x-other": "mallory" };
    const request: ReceivedRequest = { header: (name) => sent[name], body: Buffer.from("{}") };
    expect(await receivers.receive("tracker", request)).toMatchObject({ ok: true });
    await untilPassed(whole, () => whole.ran.length === 1, 20);
    expect(whole.ran[0]!.input).toEqual({ title: "opened", from: "nobody" });
  });
});

describe("a trigger", () => {
  it("is paused when its maker may not read all records any more, and when its key has expired", async () => {
    for (const [key, reason] of [
      [{ roles: ["emitter"] }, /may not read all records any more/],
      [{ roles: ["curator"], expiresAt: start + 5_000 }, /revoked or has expired/],
    ] as const) {
      const keys: ApiKey[] = [{ id: "anna", agent: "anna", roles: ["curator"], createdAt: 0, createdBy: "owner" }];
      const whole = await open({ keys });
      await whole.automation.triggers.add({ id: "news", spec: { on, tool: "echo" }, caller: anna, by: "anna" });
      keys.splice(0, 1, { ...keys[0]!, ...key } as ApiKey);
      await whole.clock.advance(6_000);
      await news(whole);
      await untilPassed(whole, () => whole.automation.triggers.get("news")!.state === "paused", 20);
      expect(whole.automation.triggers.get("news")!.reason).toMatch(reason);
      await expect(whole.automation.triggers.resume("news", "owner")).rejects.toThrow(reason);
      expect(whole.ran).toEqual([]);
    }
  });
});
