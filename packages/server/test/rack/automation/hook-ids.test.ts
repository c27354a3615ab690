import { createFakeClock } from "@toolrack/core/testing";
import { createMemoryStore } from "@toolrack/store";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { serverActor } from "../../../src/rack/store/open-store.ts";
import { openWhole } from "./_automation.ts";
import { startReceiver } from "./_receiver.ts";

const start = Date.parse("2026-01-01T00:00:00Z");
const on = { schema_name: "news.v1" };

describe("TD9: ids of hooks and webhooks", () => {
  it("have no point, over the API and in the file, and messages are sent with ids without one", async () => {
    const receiver = await startReceiver();
    const clock = createFakeClock(start);
    const whole = await openWhole(createMemoryStore({ clock }), clock, { allowHosts: [receiver.host] });
    whole.automation.begin();
    const { endpoints, receivers } = whole.automation;
    await expect(receivers.add("a.b", { tool: "note", agent: "a" }, "owner")).rejects.toThrow(
      /"a\.b" cannot be the id of a hook.*no point/,
    );
    await expect(endpoints.add("a.b", { url: receiver.url, on }, "owner")).rejects.toThrow(/cannot be the id of a webhook/);
    await whole.automation.useConfig({ hooks: { in: { "a.b": { agent: "a", tool: "note", secrets: ["x"] } } } });
    expect(whole.errors).toEqual([expect.stringMatching(/"a\.b" cannot be the id of a hook.*it is left out/)]);
    await endpoints.add("news", { url: receiver.url, on }, "owner");
    await endpoints.test("news", "owner");
    await whole.store.put({ id: "n1", schema_name: "news.v1", title: "News", context: {} });
    await until(async () => (await clock.advance(1_000), receiver.requests.length === 2), "Nothing was sent.");
    for (const { headers } of receiver.requests) expect(headers["webhook-id"]).toMatch(/^news_(?:records_\d+|test_[\w-]+)$/);
  });

  it("of an earlier version still work, and are reported", async () => {
    const clock = createFakeClock(start);
    const store = createMemoryStore({ clock });
    const kept = { origin: "api", by: "owner", madeAt: 1, secrets: [] };
    const context = { ...kept, id: "a.b", spec: { tool: "note", agent: "a" } };
    await store.as(serverActor).put({ id: "hook-a.b", schema_name: "webhook.receiver.v1", title: "hook a.b", context });
    const { automation } = await openWhole(store, clock);
    expect(automation.receivers.get("a.b")).toMatchObject({ path: "/hooks/a.b" });
    expect(automation.problems()).toEqual([expect.stringMatching(/^"a\.b" cannot be the id of a hook\..*It still works; make it again/)]);
  });
});
