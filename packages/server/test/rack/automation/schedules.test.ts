import type { Caller } from "@toolrack/core";
import { createMemoryStore, createPostgresStore } from "@toolrack/store";
import { createDatabase } from "@toolrack/testkit/databases";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runOf } from "../../../src/rack/automation/call-jobs.ts";
import { anna, openSchedules, owner, type Server, stranger } from "./_automation.ts";

const minute = 60_000;
const every = (more: object = {}): object => ({ tool: "report", everyMs: 10 * minute, ...more });
const due = async (server: Server): Promise<readonly (string | undefined)[]> => (await server.jobs()).map(({ key }) => key);

describe("schedules", () => {
  // row: F24
  it("adds a job at each due time, and shows the next five", async () => {
    const server = await openSchedules(createMemoryStore());
    const daily = { tool: "report", cron: "0 7 * * *", tz: "Europe/Berlin" };
    const made = await server.schedules.add({ id: "daily", spec: daily, caller: owner, by: "owner" });
    expect(made.next.map((time) => new Date(time).toISOString())).toEqual([1, 2, 3, 4, 5].map((day) => `2026-01-0${day}T06:00:00.000Z`));
    const hourly = { tool: "report", cron: "30 * * * *", tz: "Europe/Berlin", overlap: "queue" };
    await server.schedules.add({ id: "hourly", spec: hourly, caller: owner, by: "owner" });
    server.schedules.begin();
    await server.clock.advance(91 * minute);
    expect(await due(server)).toEqual(["hourly@2026-01-01T00:30:00.000Z", "hourly@2026-01-01T01:30:00.000Z"]);
    const { payload, origin } = (await server.jobs())[0]!;
    expect(origin).toBe("schedule:hourly");
    expect(payload).toMatchObject({ tool: "report", input: {}, caller: { agent: "owner" } });
  });

  it("does nothing before it has begun, and nothing after it was closed", async () => {
    const server = await openSchedules(createMemoryStore());
    await server.schedules.add({ id: "often", spec: every(), caller: owner, by: "owner" });
    expect(server.clock.pending).toBe(0);
    await server.clock.advance(60 * minute);
    expect(await due(server)).toEqual([]);
    server.schedules.begin();
    await server.schedules.close();
    expect(server.clock.pending).toBe(0);
  });

  it("sets no timer where no schedule is active", async () => {
    const server = await openSchedules(createMemoryStore());
    server.schedules.begin();
    expect(server.clock.pending).toBe(0);
    await server.schedules.add({ id: "often", spec: every(), caller: owner, by: "owner" });
    expect(server.clock.pending).toBe(1);
    await server.schedules.pause("often", "owner");
    expect(server.clock.pending).toBe(0);
  });

  it("pauses, resumes from now on, runs beside its times, and is removed", async () => {
    const server = await openSchedules(createMemoryStore());
    const { schedules, clock } = server;
    await schedules.add({ id: "often", spec: every({ overlap: "queue" }), caller: owner, by: "owner" });
    schedules.begin();
    await schedules.pause("often", "anna");
    await clock.advance(25 * minute);
    expect(await due(server)).toEqual([]);
    expect((await schedules.get("often"))!).toMatchObject({ state: "paused", reason: "Paused by anna.", pausedBy: "caller", next: [] });
    await expect(schedules.pause("often", "anna")).rejects.toThrow(/is paused, and cannot be paused/);
    expect(await schedules.resume("often", "anna")).not.toHaveProperty("pausedBy");
    await clock.advance(6 * minute);
    expect(await due(server)).toEqual(["often@2026-01-01T00:30:00.000Z"]);
    expect(await schedules.run("often", "anna")).toEqual({ job: expect.any(String) });
    expect((await server.jobs()).map(({ origin }) => origin)).toEqual(["schedule:often", "schedule:often"]);
    expect(await schedules.remove("often", "anna")).toBe(true);
    await clock.advance(60 * minute);
    expect(await server.jobs()).toHaveLength(2);
    expect(server.actions.map(({ kind }) => kind)).toEqual([
      "schedule-added",
      "schedule-paused",
      "schedule-resumed",
      "schedule-run",
      "schedule-removed",
    ]);
  });

  it("runs once at a time, and has ended then", async () => {
    const server = await openSchedules(createMemoryStore());
    await server.schedules.add({ id: "party", spec: { tool: "report", at: "2026-01-01T02:00:00+01:00" }, caller: owner, by: "owner" });
    server.schedules.begin();
    await server.clock.advance(3 * 60 * minute);
    expect(await due(server)).toEqual(["party@2026-01-01T01:00:00.000Z"]);
    expect(await server.schedules.get("party")).toMatchObject({ state: "ended", next: [], last: { outcome: "started" } });
    await expect(
      server.schedules.add({ id: "late", spec: { tool: "report", at: "2026-01-01T01:00:00Z" }, caller: owner, by: "owner" }),
    ).rejects.toThrow(/its time has passed/);
  });

  it("leaves out, queues or replaces a run that would overlap", async () => {
    for (const [overlap, count, states] of [
      ["skip", 1, ["waiting"]],
      ["queue", 3, ["waiting", "waiting", "waiting"]],
      ["replace", 3, ["cancelled", "cancelled", "waiting"]],
    ] as const) {
      const server = await openSchedules(createMemoryStore());
      await server.schedules.add({ id: "often", spec: every({ overlap }), caller: owner, by: "owner" });
      server.schedules.begin();
      await server.clock.advance(30 * minute + 1);
      const jobs = await server.jobs();
      expect(jobs, overlap).toHaveLength(count);
      expect(jobs.map(({ state }) => state)).toEqual(states);
      expect((await server.schedules.get("often"))!.last!.outcome).toBe(overlap === "skip" ? "overlap" : "started");
    }
  });

  it("makes up for missed times by its rule", async () => {
    for (const [missed, expected] of [
      ["skip", []],
      ["once", ["often@2026-01-01T03:00:00.000Z"]],
      ["all", ["often@2026-01-01T00:10:00.000Z", "often@2026-01-01T03:00:00.000Z"]],
    ] as const) {
      const store = createMemoryStore();
      const before = await openSchedules(store);
      await before.schedules.add({ id: "often", spec: every({ missed, overlap: "queue" }), caller: owner, by: "owner" });
      const after = await openSchedules(store, { start: Date.parse("2026-01-01T03:05:00Z") });
      after.schedules.begin();
      await after.clock.advance(1);
      const keys = await due(after);
      expect(keys.length, missed).toBe(missed === "all" ? 18 : expected.length);
      for (const key of expected) expect(keys).toContain(key);
    }
  });

  it("begins each run later by its jitter", async () => {
    const server = await openSchedules(createMemoryStore());
    await server.schedules.add({ id: "often", spec: every({ jitterMs: 5 * minute, overlap: "queue" }), caller: owner, by: "owner" });
    server.schedules.begin();
    await server.clock.advance(40 * minute + 1);
    const late = (await server.jobs()).map(({ dueAt, key }) => dueAt - Date.parse(key!.split("@")[1]!));
    expect(late).toHaveLength(4);
    expect(new Set(late).size).toBeGreaterThan(1);
    for (const ms of late) expect(ms >= 0 && ms <= 5 * minute).toBe(true);
  });

  it("runs each due time once while the clock on the wall jumps forward and back", async () => {
    const server = await openSchedules(createMemoryStore());
    const { clock, schedules } = server;
    await schedules.add({ id: "often", spec: every({ overlap: "queue" }), caller: owner, by: "owner" });
    schedules.begin();
    await clock.advance(11 * minute);
    clock.wall = 365 * 24 * 60 * minute;
    await clock.advance(minute);
    expect(await due(server)).toHaveLength(2);
    clock.wall = -5 * minute;
    await clock.advance(4 * minute);
    await clock.advance(10 * minute);
    // 00:10 came again, and 00:20 for the first time.
    const keys = await due(server);
    expect(keys.filter((key) => key === "often@2026-01-01T00:10:00.000Z")).toHaveLength(1);
    expect(keys).toContain("often@2026-01-01T00:20:00.000Z");
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("does not replace a run by itself when its time comes again after the clock on the wall went back", async () => {
    const server = await openSchedules(createMemoryStore());
    const { clock, schedules } = server;
    await schedules.add({ id: "often", spec: every({ overlap: "replace" }), caller: owner, by: "owner" });
    schedules.begin();
    await clock.advance(10 * minute + 1);
    clock.wall = -5 * minute;
    await clock.advance(6 * minute);
    // 00:10 came again, and its job is the one that waits.
    expect((await server.jobs()).map(({ key, state }) => [key, state])).toEqual([["often@2026-01-01T00:10:00.000Z", "waiting"]]);
    await clock.advance(10 * minute);
    expect((await server.jobs()).map(({ state }) => state)).toEqual(["cancelled", "waiting"]);
  });

  it("does not end a run that nothing replaces", async () => {
    for (const missed of ["skip", "once"] as const) {
      const server = await openSchedules(createMemoryStore());
      await server.schedules.add({ id: "often", spec: every({ overlap: "replace", missed }), caller: owner, by: "owner" });
      server.schedules.begin();
      await server.clock.advance(10 * minute + 1);
      if (missed === "skip") server.clock.wall = 60 * minute + 5 * minute;
      else server.refusal = 'There is no tool "report".';
      await server.clock.advance(missed === "skip" ? minute : 10 * minute);
      expect((await server.schedules.get("often"))!.last!.outcome).toBe(missed === "skip" ? "missed" : "refused");
      expect((await server.jobs()).map(({ state }) => state)).toEqual(["waiting"]);
    }
  });

  it("tells that a due time was refused, with the reason, and goes on with the next one", async () => {
    const server = await openSchedules(createMemoryStore());
    await server.schedules.add({ id: "often", spec: every(), caller: owner, by: "owner" });
    server.schedules.begin();
    server.refusal = 'There is no tool "report".';
    await server.clock.advance(10 * minute + 1);
    expect(await server.schedules.get("often")).toMatchObject({
      state: "active",
      last: { outcome: "refused", reason: 'There is no tool "report".', due: Date.parse("2026-01-01T00:10:00Z") },
    });
    delete server.refusal;
    await server.clock.advance(10 * minute);
    expect(await due(server)).toEqual(["often@2026-01-01T00:20:00.000Z"]);
  });

  it("refuses a tool that its maker cannot call, a second one with its id, and an id that is none", async () => {
    const { schedules } = await openSchedules(createMemoryStore());
    await expect(schedules.add({ id: "a", spec: every({ tool: "missing" }), caller: owner, by: "owner" })).rejects.toThrow(
      /no tool "missing"/,
    );
    await schedules.add({ id: "a", spec: every(), caller: owner, by: "owner" });
    await expect(schedules.add({ id: "a", spec: every(), caller: owner, by: "owner" })).rejects.toThrow(/There is a schedule "a" already/);
    await expect(schedules.add({ id: "../a", spec: every(), caller: owner, by: "owner" })).rejects.toThrow(/cannot be the id/);
    await expect(schedules.add({ id: "b", spec: every({ everyMs: 1_000 }), caller: owner, by: "owner" })).rejects.toThrow(
      /more often than/,
    );
  });

  it("follows the file: new, changed and removed ones, and refuses to remove those over the API", async () => {
    const { schedules } = await openSchedules(createMemoryStore());
    const file = (spec: object) => [{ id: "daily", origin: "toolrack.config.yaml:3", spec, agent: "reporter" }];
    await schedules.useFile(file(every()));
    expect(await schedules.get("daily")).toMatchObject({
      state: "active",
      runsAs: { agent: "reporter" },
      origin: "toolrack.config.yaml:3",
    });
    await schedules.pause("daily", "owner");
    await schedules.useFile(file(every()));
    expect(await schedules.get("daily")).toMatchObject({ state: "paused" });
    await schedules.useFile(file(every({ everyMs: 20 * minute })));
    expect(await schedules.get("daily")).toMatchObject({ state: "active", spec: { everyMs: 20 * minute } });
    await expect(schedules.remove("daily", "owner")).rejects.toThrow(/is in toolrack.config.yaml:3. Change it there/);
    await schedules.useFile([]);
    expect(await schedules.get("daily")).toBeUndefined();
  });
});

describe("schedules that agents make", () => {
  it("AH9: wait for a person when they were made without one", async () => {
    const server = await openSchedules(createMemoryStore());
    const { schedules, clock } = server;
    const made = await schedules.add({ id: "mine", spec: every(), caller: stranger, by: stranger.agent! });
    expect(made).toMatchObject({ state: "waiting", next: [] });
    const inRun = await schedules.add({ id: "inrun", spec: every(), caller: { ...anna, run: runOf(0, "schedule:x") }, by: "anna" });
    expect(inRun.state).toBe("waiting");
    schedules.begin();
    await clock.advance(30 * minute);
    expect(await due(server)).toEqual([]);
    await expect(schedules.run("mine", "owner")).rejects.toThrow(/is waiting, and cannot be run/);
    await expect(schedules.resume("mine", "bot")).rejects.toThrow(/is waiting, and cannot be resumed/);
    await expect(schedules.decide("mine", { approved: true, digest: "sha256:other", by: "owner" })).rejects.toThrow(/another than the one/);
    await schedules.decide("mine", { approved: true, digest: made.digest, by: "owner" });
    await schedules.decide("inrun", { approved: false, digest: inRun.digest, by: "owner" });
    await clock.advance(11 * minute);
    expect(await due(server)).toEqual(["mine@2026-01-01T00:40:00.000Z"]);
    expect(await schedules.get("inrun")).toBeUndefined();
  });

  it("AH9: wait for a person when text of others is in them, whoever makes them", async () => {
    const server = await openSchedules(createMemoryStore());
    const foreign = { "/input/to": ["untrusted"], "/input/from": ["private"] };
    const made = await server.schedules.add({ id: "mail", spec: every(), caller: anna, by: "anna", labels: foreign });
    expect(made).toMatchObject({ state: "waiting", next: [], reason: expect.stringContaining("Somebody else wrote /input/to.") });
    const known = { "/input/from": ["private"] };
    expect((await server.schedules.add({ id: "own", spec: every(), caller: anna, by: "anna", labels: known })).state).toBe("active");
    const agreed = { id: "other", spec: every(), caller: owner, by: "owner", isAgreed: true, labels: foreign };
    expect((await server.schedules.add(agreed)).state).toBe("waiting");
  });

  it("AH9: are not approved where another one of the same id was stored by the time of the answer", async () => {
    const store = createMemoryStore();
    const one = await openSchedules(store);
    const made = await one.schedules.add({ id: "mine", spec: every(), caller: stranger, by: "bot" });
    const behind = await openSchedules(store);
    await behind.feed.close();
    await one.schedules.remove("mine", "bot");
    await one.schedules.add({ id: "mine", spec: every({ tool: "pay" }), caller: stranger, by: "bot" });
    await expect(behind.schedules.decide("mine", { approved: true, digest: made.digest, by: "owner" })).rejects.toThrow(
      /another than the one/,
    );
    expect(await one.schedules.get("mine")).toMatchObject({ state: "waiting", spec: { tool: "pay" } });
  });

  it("keep every fact by which a policy restricts their maker, and the digest covers them", async () => {
    const { schedules } = await openSchedules(createMemoryStore());
    const facts = { sandboxed: true, subagentDepth: 2, channel: "mail", group: "public", sender: "mallory", phase: "plan", tenant: "acme" };
    const made = await schedules.add({
      id: "small",
      spec: every(),
      caller: { ...anna, ...facts, owner: true, session: "s", run: "r" },
      by: "anna",
    });
    expect(made.runsAs).toEqual({ ...anna, ...facts });
    const larger = await schedules.add({ id: "large", spec: every(), caller: anna, by: "anna" });
    expect(larger.digest).not.toBe(made.digest);
  });

  it("AH10: a run is never the owner's, and has no right that its maker has lost", async () => {
    const keys = ["anna", "bot"];
    const server = await openSchedules(createMemoryStore(), { keys });
    const { schedules, clock } = server;
    const spec = every({ overlap: "queue" });
    await schedules.add({ id: "owners", spec, caller: owner, by: "owner" });
    await schedules.add({ id: "annas", spec, caller: { ...anna, roles: ["admin", "curator"] }, by: "anna" });
    schedules.begin();
    await clock.advance(10 * minute + 1);
    const callers = (await server.jobs()).map(({ payload }) => (payload as { readonly caller: Record<string, unknown> }).caller);
    expect(callers).toHaveLength(2);
    for (const caller of callers) {
      expect(caller).not.toHaveProperty("owner");
      expect(caller["roles"]).not.toContain("owner");
    }
    expect(callers.find(({ agent }) => agent === "anna")).toMatchObject({ roles: ["curator"] });
    keys.splice(0, 1);
    await clock.advance(10 * minute);
    expect(await schedules.get("annas")).toMatchObject({
      state: "paused",
      reason: expect.stringMatching(/key of "anna".*revoked/),
      pausedBy: "server",
    });
    expect((await due(server)).filter((key) => key!.startsWith("annas"))).toHaveLength(1);
    await expect(schedules.run("annas", "owner")).rejects.toThrow(/revoked/);
    await expect(schedules.resume("annas", "owner", true)).rejects.toThrow(/cannot be resumed: The key of "anna" was revoked/);
    expect(await schedules.get("annas")).toMatchObject({ state: "paused" });
  });

  it("AH11: depth and count have limits, and every second is refused", async () => {
    const { schedules } = await openSchedules(createMemoryStore());
    const inRun = (depth: number) => ({ ...anna, run: runOf(depth, "schedule:x") });
    expect((await schedules.add({ id: "child", spec: every(), caller: inRun(0), by: "anna" })).state).toBe("waiting");
    await expect(schedules.add({ id: "grandchild", spec: every(), caller: inRun(1), by: "anna" })).rejects.toThrow(
      /may not make another one/,
    );
    for (let count = 1; count < 20; count++) await schedules.add({ id: `c${count}`, spec: every(), caller: inRun(0), by: "anna" });
    await expect(schedules.add({ id: "c20", spec: every(), caller: inRun(0), by: "anna" })).rejects.toThrow(/20 schedules of "anna" wait/);
    for (let count = 0; count < 80; count++) await schedules.add({ id: `d${count}`, spec: every(), caller: anna, by: "anna" });
    await expect(schedules.add({ id: "d80", spec: every(), caller: anna, by: "anna" })).rejects.toThrow(/"anna" has 100 schedules/);
    await expect(
      schedules.add({ id: "fast", spec: { tool: "report", cron: "* * * * * *", seconds: true, tz: "UTC" }, caller: owner, by: "owner" }),
    ).rejects.toThrow(/more often than every 10 seconds/);
  });

  it("AH11: an admin who makes schedules for many agents is one maker", async () => {
    const { schedules } = await openSchedules(createMemoryStore());
    const acting = (agent: string) => ({ agent, principal: "key boss", roles: [], acting: true });
    const add = (id: string, caller: Caller) => schedules.add({ id, spec: every(), caller, by: "boss" });
    for (let count = 0; count < 100; count++) await add(`s${count}`, acting(`agent-${count}`));
    await expect(add("s100", acting("agent-100"))).rejects.toThrow(/"key boss" has 100 schedules, and no more may be made/);
    expect(await add("other", anna)).toMatchObject({ state: "active" });
  });
});

describe("three servers on one PostgreSQL", () => {
  let postgres: TestPostgres;
  beforeAll(async () => void (postgres = await startPostgres()));
  afterAll(() => postgres?.stop());

  it("run each due time once", async () => {
    const connectionString = await createDatabase(postgres);
    const stores = [];
    for (let count = 0; count < 3; count++) stores.push(await createPostgresStore({ connectionString }));
    const servers = await Promise.all(stores.map((store) => openSchedules(store)));
    const [first] = servers;
    for (const id of ["a", "b", "c"]) await first!.schedules.add({ id, spec: every({ overlap: "queue" }), caller: owner, by: "owner" });
    await until(() => servers.every(({ schedules }) => schedules.list().length === 3));
    for (const { schedules } of servers) schedules.begin();
    for (let round = 1; round <= 4; round++) {
      await Promise.all(servers.map(({ clock }) => clock.advance(10 * minute)));
      // A look that the database refused is repeated a moment later.
      const isOver = async () => {
        await Promise.all(servers.map(({ clock }) => clock.advance(1)));
        const isNext = servers.every(({ schedules, clock }) => schedules.list().every(({ nextAt }) => nextAt! > clock.now()));
        return isNext && (await first!.jobs()).length >= round * 3;
      };
      await until(isOver);
    }
    const keys = await due(first!);
    expect(keys).toHaveLength(12);
    expect(new Set(keys).size).toBe(12);
    for (const { schedules } of servers) await schedules.close();
    for (const store of stores) await store.close();
  });
});
