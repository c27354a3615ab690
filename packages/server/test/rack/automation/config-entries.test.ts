import { createFakeClock } from "@toolrack/core/testing";
import { createMemoryStore } from "@toolrack/store";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import { openWhole, owner, type Whole } from "./_automation.ts";

async function open(): Promise<Whole> {
  const clock = createFakeClock(Date.parse("2026-01-01T00:00:00Z"));
  return openWhole(createMemoryStore({ clock }), clock, { allowHosts: ["127.0.0.1:9"], runs: false });
}

const url = "http://127.0.0.1:9/";
const on = { schema_name: "news.v1" };
const every = { agent: "a", tool: "echo", everyMs: 60_000 };
const secrets = ["signing"];

/** Of each kind a wrong one, between two that are right. */
const config: RackConfig = {
  schedules: { first: every, wrong: { agent: "a", tool: "echo", cron: "0 0 30 2 *", tz: "UTC" }, last: every },
  triggers: {
    first: { agent: "a", tool: "echo", on },
    wrong: { agent: "a", tool: "none", on },
    last: { agent: "a", tool: "echo", on },
  },
  hooks: {
    out: { first: { url, on, secrets }, wrong: { url: "https://10.0.0.7/", on, secrets }, last: { url, on, secrets } },
    in: {
      first: { agent: "a", tool: "echo", secrets },
      wrong: { agent: "a", tool: "none", secrets },
      last: { agent: "a", tool: "echo", secrets },
    },
  },
};

async function names({ automation }: Whole): Promise<readonly (readonly string[])[]> {
  return [
    automation.schedules.list().map(({ id }) => id),
    automation.triggers.list().map(({ id }) => id),
    (await automation.endpoints.list()).map(({ id }) => id),
    automation.receivers.list().map(({ name }) => name),
  ];
}

describe("a wrong entry of the configuration file", () => {
  it("is told with its place and left out alone, whether it is a schedule, a trigger or a webhook", async () => {
    const whole = await open();
    await whole.automation.useConfig(config);
    expect(await names(whole)).toEqual(Array.from({ length: 4 }, () => ["first", "last"]));
    expect(whole.errors).toEqual([
      expect.stringMatching(
        /^The schedule "wrong" is wrong: .* Until it is changed in toolrack\.config\.yaml at schedules\.wrong, it is left out/,
      ),
      expect.stringMatching(/^The trigger "wrong" is wrong: .*at triggers\.wrong, it is left out/),
      expect.stringMatching(/^The webhook "wrong" is wrong: .*at hooks\.out\.wrong, it is left out/),
      expect.stringMatching(/^The hook "wrong" is wrong: .*at hooks\.in\.wrong, it is left out/),
    ]);
  });

  it("stays as it was before it became wrong, and ends when it leaves the file", async () => {
    const whole = await open();
    await whole.automation.useConfig({ schedules: { first: every, wrong: every } });
    await whole.automation.useConfig(config);
    expect(await whole.automation.schedules.get("wrong")).toMatchObject({ state: "active", spec: { everyMs: 60_000 } });
    expect(whole.errors[0]).toMatch(/at schedules\.wrong, it stays as it was; the others are used\.$/);
    await whole.automation.useConfig({ schedules: { first: every } });
    expect((await names(whole))[0]).toEqual(["first"]);
  });

  it("with the id of one that was made over the API does not replace it", async () => {
    const whole = await open();
    await whole.automation.schedules.add({
      id: "first",
      spec: { tool: "note", input: { title: "a" }, everyMs: 60_000 },
      caller: owner,
      by: "owner",
    });
    await whole.automation.useConfig({ schedules: { first: every, last: every } });
    expect(await whole.automation.schedules.get("first")).toMatchObject({ origin: "api", spec: { tool: "note" } });
    expect((await names(whole))[0]).toEqual(["first", "last"]);
    expect(whole.errors).toEqual([expect.stringContaining("was made over the API already")]);
  });
});
