import { codeSource, defineTool } from "@toolrack/core";
import { createFakeClock } from "@toolrack/core/testing";
import { createMemoryStore, StoreError } from "@toolrack/store";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import type { ApiKey } from "../../../src/rack/rack.ts";
import { anna, openWhole, owner, type Whole } from "./_automation.ts";

const start = Date.parse("2026-01-01T00:00:00Z");

async function open(keys?: readonly ApiKey[]): Promise<Whole> {
  const clock = createFakeClock(start);
  const whole = await openWhole(createMemoryStore({ clock }), clock, { ...(keys && { keys }) });
  whole.automation.begin();
  return whole;
}

const news = { on: { schema_name: "news.v1" }, tool: "note", input: { title: { from: "/record/title" } } };
const write = (whole: Whole, title: string, agent = "bob") =>
  whole.store.as({ ...whole.store.actor, agent }).put({ schema_name: "news.v1", title, context: {} });
const titles = (whole: Whole): readonly unknown[] => whole.ran.map(({ input }) => (input as { readonly title: string }).title);

async function untilPassed(whole: Whole, holds: () => unknown): Promise<void> {
  await until(async () => {
    if (await holds()) return true;
    await whole.clock.advance(100);
    return false;
  });
}

describe("triggers", () => {
  it("call a tool once for each event that comes after they were made, as their maker", async () => {
    const whole = await open();
    await write(whole, "Before");
    await whole.automation.triggers.add({ id: "news", spec: news, caller: anna, by: "anna" });
    await write(whole, "After");
    await untilPassed(whole, () => whole.ran.length === 1);
    expect(titles(whole)).toEqual(["After"]);
    expect(whole.ran[0]!.caller).toMatchObject({ agent: "anna", principal: "key anna", session: "trigger:news" });
    expect(whole.ran[0]!.caller).not.toHaveProperty("owner");
  });

  it("do not take results for the user", async () => {
    const { automation } = await open();
    const spec = { on: { types: ["result-for-user"] }, tool: "echo" };
    await expect(automation.triggers.add({ id: "results", spec, caller: anna, by: "anna" })).rejects.toThrow(/go to people/);
  });

  it("do not see what the agent that they run as wrote, unless that is said", async () => {
    const whole = await open();
    await whole.automation.triggers.add({ id: "news", spec: news, caller: anna, by: "anna" });
    await whole.automation.triggers.add({ id: "own", spec: { ...news, ownEvents: true }, caller: anna, by: "anna" });
    await write(whole, "By anna", "anna");
    await write(whole, "By bob");
    await untilPassed(whole, () => whole.ran.length === 3);
    expect(whole.ran.map(({ caller, input }) => `${caller.session} ${(input as { readonly title: string }).title}`).toSorted()).toEqual([
      "trigger:news By bob",
      "trigger:own By anna",
      "trigger:own By bob",
    ]);
  });

  it("see what their maker wrote, and not what the agent that they run as wrote, however it signed in", async () => {
    const admin = { ...anna, roles: ["admin", "curator"], agent: "reporter", acting: true };
    const keys = [{ id: "anna", agent: "anna", roles: ["admin", "curator"], createdAt: 0, createdBy: "owner" }];
    const made = await open(keys);
    await made.automation.triggers.add({ id: "news", spec: news, caller: admin, by: "anna" });
    const writeAs = (agent: string, title: string, signedInAs?: string) =>
      made.store
        .as({ ...made.store.actor, agent, ...(signedInAs !== undefined && { signedInAs }) })
        .put({ schema_name: "news.v1", title, context: {} });
    await writeAs("reporter", "With its key");
    await writeAs("anna", "By its own job", "reporter");
    await writeAs("token https://login.example.com/ 42", "With a token", "reporter");
    await writeAs("anna", "By the maker");
    await untilPassed(made, () => made.ran.length === 1);
    expect(titles(made)).toEqual(["By the maker"]);
    expect(made.automation.triggers.get("news")!.skipped).toMatchObject({
      count: 3,
      event: expect.stringMatching(/^records\.\d+$/),
      at: start,
      reason: expect.stringMatching(/"reporter".*did this itself.*ownEvents/),
    });
  });

  it("of the file do not see what their agent wrote", async () => {
    const whole = await open();
    await whole.automation.useConfig({ triggers: { news: { ...news, agent: "reporter" } } });
    await write(whole, "By the agent", "reporter");
    await write(whole, "By bob");
    await untilPassed(whole, () => whole.ran.length === 1);
    expect(titles(whole)).toEqual(["By bob"]);
    expect(whole.automation.triggers.get("news")!.skipped).toMatchObject({ count: 1 });
  });

  it("end a loop of calls that cause each other after four jobs", async () => {
    const whole = await open();
    const spec = { on: { types: ["call-end"], tool: "echo" }, tool: "echo", ownEvents: true };
    await whole.automation.triggers.add({ id: "loop", spec, caller: anna, by: "anna" });
    await whole.registry.invoke("echo", { start: true }, { caller: owner });
    await untilPassed(whole, () => whole.automation.triggers.get("loop")!.problem !== undefined);
    expect(whole.ran).toHaveLength(4);
    expect(whole.automation.triggers.get("loop")!.problem!.reason).toMatch(/chain of 4 jobs/);
  });

  it("end a loop of calls that write the records that cause them", async () => {
    const whole = await open();
    const again = defineTool({
      name: "again",
      description: "Writes a record.",
      inputSchema: { type: "object" },
      handler: async () => void (await write(whole, "Again", "anna")),
    });
    await whole.registry.addSource(codeSource("again", [again]));
    const spec = { on: { schema_name: "news.v1" }, tool: "again", ownEvents: true };
    await whole.automation.triggers.add({ id: "loop", spec, caller: anna, by: "anna" });
    await write(whole, "First");
    await untilPassed(whole, () => whole.automation.triggers.get("loop")!.problem !== undefined);
    expect(whole.ran).toHaveLength(4);
    expect(whole.automation.triggers.get("loop")).toMatchObject({
      state: "active",
      problem: { reason: expect.stringMatching(/chain of 4 jobs/) },
    });
  });

  it("pause themselves when more events come than they take in a minute", async () => {
    const whole = await open();
    await whole.automation.triggers.add({ id: "news", spec: { ...news, perMinute: 5 }, caller: anna, by: "anna" });
    for (let count = 0; count < 8; count++) await write(whole, `News ${count}`);
    await untilPassed(whole, () => whole.automation.triggers.get("news")!.state === "paused");
    await untilPassed(whole, () => whole.ran.length === 5);
    expect(whole.automation.triggers.get("news")).toMatchObject({
      reason: expect.stringMatching(/More than 5 events came within a minute/),
      pausedBy: "server",
    });
    expect(await whole.automation.triggers.resume("news", "anna")).not.toHaveProperty("pausedBy");
    await write(whole, "Later");
    await untilPassed(whole, () => whole.ran.length === 6);
    expect(titles(whole).at(-1)).toBe("Later");
  });

  it("count an event once, however often the store fails before its job is there", async () => {
    const whole = await open();
    await whole.automation.triggers.add({ id: "news", spec: { ...news, perMinute: 2 }, caller: anna, by: "anna" });
    const enqueue = vi.spyOn(whole.queue, "enqueue");
    for (let count = 0; count < 3; count++) enqueue.mockRejectedValueOnce(new StoreError("STORE_UNAVAILABLE", "The database is away."));
    await write(whole, "Rain");
    await untilPassed(whole, () => whole.ran.length === 1 || whole.automation.triggers.get("news")!.state === "paused");
    expect([enqueue.mock.calls.length, titles(whole)]).toEqual([4, ["Rain"]]);
    expect(whole.automation.triggers.get("news")!.state).toBe("active");
  });

  it("count the events of the last minute, and no older ones", async () => {
    const whole = await open();
    await whole.automation.triggers.add({ id: "news", spec: { ...news, perMinute: 2 }, caller: anna, by: "anna" });
    for (let minute = 1; minute <= 3; minute++) {
      await write(whole, `First of ${minute}`);
      await write(whole, `Second of ${minute}`);
      await untilPassed(whole, () => whole.ran.length === minute * 2);
      await whole.clock.advance(61_000);
    }
    expect(whole.automation.triggers.get("news")!.state).toBe("active");
  });

  it("tell which event gave no input that the tool takes, and go on with the next", async () => {
    const whole = await open();
    const spec = { ...news, input: { title: { from: "/record/context/count" } } };
    await whole.automation.triggers.add({ id: "news", spec, caller: anna, by: "anna" });
    await whole.store.put({ schema_name: "news.v1", title: "Wrong", context: { count: 5 } });
    await whole.store.put({ schema_name: "news.v1", title: "Right", context: { count: "five" } });
    await untilPassed(whole, () => whole.ran.length === 1);
    expect(titles(whole)).toEqual(["five"]);
    const { problem, skipped } = whole.automation.triggers.get("news")!;
    expect(problem!.reason).toMatch(/does not give an input that "note" takes/);
    expect(skipped).toEqual({ count: 1, ...problem });
  });

  it.each([
    ["every event", { on: {}, tool: "echo" }, /wrong/],
    ["parts that no event has together", { on: { tool: "echo", schema_name: "news.v1" }, tool: "echo" }, /Make two of it/],
    ["types that do not fit", { on: { tool: "echo", types: ["record-created"] }, tool: "echo" }, /No event has/],
    ["a comparison that does not exist", { on: { where: [{ path: "context.a", op: "like", value: 1 }] }, tool: "echo" }, /wrong/],
    ["a tool that does not exist", { on: { schema_name: "a.v1" }, tool: "none" }, /no tool "none"/],
    ["a mapping that does not fit", { on: { schema_name: "a.v1" }, tool: "note", input: { text: { from: "" } } }, /no parameter "text"/],
  ])("refuse %s when they are made", async (_, spec, sentence) => {
    const whole = await open();
    await expect(whole.automation.triggers.add({ id: "x", spec, caller: anna, by: "anna" })).rejects.toThrow(sentence);
  });
});
