import { createFakeClock } from "@toolrack/core/testing";
import { listAudit, verifyAudit } from "@toolrack/store";
import { readEvents } from "@toolrack/testkit/events";
import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config/read.ts";
import { retentionOf } from "../../../src/config/retention.ts";

const dayMs = 86_400_000;

describe("retention on a server", () => {
  it("RT8: has a default for everything, takes the older names of the audit, and forever", () => {
    expect(retentionOf({})).toMatchObject({
      revisionsPerRecord: 200,
      deletedDays: 90,
      approvalsDays: 30,
      tasksHours: 168,
      answersHours: 24,
    });
    expect(retentionOf({})).toMatchObject({ eventsDays: 7, auditDays: Infinity, auditRows: Infinity });
    expect(retentionOf({ audit: { maxAgeDays: 3, maxRows: 9 } })).toMatchObject({ auditDays: 3, auditRows: 9 });
    expect(retentionOf({ audit: { maxAgeDays: 3 }, retention: { auditDays: "forever", deletedDays: 2 } })).toMatchObject({
      auditDays: Infinity,
      deletedDays: 2,
    });
  });

  it("RT9: refuses a time that would cut off readers at once", () => {
    const problemsOf = (text: string) => readConfig(text, "toolrack.config.yaml");
    for (const wrong of ["eventsDays: 0", "deletedDays: -1", "revisionsPerRecord: 0", "auditDays: never", "answersHours: forever"])
      expect(JSON.stringify(problemsOf(`retention:\n  ${wrong}\n`)), wrong).toContain(wrong.split(":")[0]);
    expect(JSON.stringify(problemsOf("retention:\n  eventsDays: forever\n"))).not.toContain("must");
  });

  it("ends sessions of agents that nobody uses, and removes them as long after their end, but not what waits for a person", async () => {
    const clock = createFakeClock(1_800_000_000_000);
    const agents = { helper: { instructions: "Help.", model: "scripted" } } as const;
    await using server = await openTestServer({
      config: { agents, policy: { tools: { ask: ["echo"] } }, approvals: { waitMs: 90 * dayMs }, retention: { sessionsDays: 10 } },
      rack: { clock },
    });
    const { agents: running, retention } = server.rack;
    const caller = { agent: "anna", principal: "test anna" };
    const start = async (session: string, input: string): Promise<void> =>
      void (await (
        await running.start("helper", { input, session, caller, from: { kind: "person" } })
      ).result);
    await start("old", "hello");
    await start("asks", 'call echo {"text":"x"}');
    await clock.advance(6 * dayMs);
    await start("new", "hello");
    await clock.advance(6 * dayMs);
    const statusOf = async (name: string): Promise<string | undefined> => (await running.sessions.get(`agent:helper:${name}`))?.status;
    expect((await retention.run()).removed).toMatchObject({ sessions: 1 });
    expect([await statusOf("old"), await statusOf("new"), await statusOf("asks")]).toEqual(["ended", "idle", "waiting"]);
    await clock.advance(11 * dayMs);
    expect((await retention.run()).removed).toMatchObject({ sessions: 2 });
    expect([await statusOf("old"), await statusOf("new"), await statusOf("asks")]).toEqual([undefined, "ended", "waiting"]);
  });

  it("RT10: removes ended approvals and tasks with what they asked, shows it, and keeps a yes that holds", async () => {
    const clock = createFakeClock(1_800_000_000_000);
    await using server = await openTestServer({
      config: { policy: { tools: { ask: ["echo"] } }, retention: { approvalsDays: 10, tasksHours: 24, auditRows: 2 } },
      rack: { clock },
    });
    const { rack } = server;
    const caller = { agent: "helper", principal: "key helper" };
    for (const scope of ["once", "always"] as const) {
      const call = rack.registry.invoke("echo", { text: scope }, { caller });
      await expect.poll(async () => (await rack.approvals.list()).length).toBe(1);
      const [asked] = await rack.approvals.list();
      await rack.approvals.decide(asked!.id, { approved: true, scope, by: { agent: "owner", principal: "owner" } });
      expect(await call).toMatchObject({ ok: true });
    }
    const createdAt = new Date(clock.now()).toISOString();
    await rack.tasks.create({ taskId: "t1", owner: "o", createdAt, ttlMs: 1_000, status: "working", revision: 0 } as never, {} as never);
    await clock.advance(120_000);
    await clock.advance(9 * dayMs);
    expect((await rack.retention.run()).removed).toMatchObject({ approvals: 0, tasks: 1 });
    await clock.advance(2 * dayMs);
    await rack.store.put({ id: "n", schema_name: "note.v1", title: "n", context: {} });
    expect((await rack.retention.run()).removed).toMatchObject({ approvals: 1 });
    expect(await rack.approvals.remembered()).toMatchObject([{ scope: "always" }]);
    expect((await listAudit(rack.store)).length).toBeLessThanOrEqual(3);
    expect(await verifyAudit(rack.store)).toMatchObject({ ok: true, begin: { anchor: {} } });
    const shown = await server.request("GET", "/api/v1/retention");
    expect(await shown.json()).toMatchObject({ limits: { approvalsDays: 10, auditDays: null }, last: { removed: { approvals: 1 } } });
  });

  it("RT10: removes nothing that readers of events may still ask for, however old it must be otherwise", async () => {
    const clock = createFakeClock(1_800_000_000_000);
    await using server = await openTestServer({ config: { retention: { revisionsPerRecord: 1, eventsDays: 5 } }, rack: { clock } });
    const { store, retention } = server.rack;
    const draft = { id: "n", schema_name: "note.v1", title: "n" };
    expect(await store.put({ ...draft, context: { text: "one" } })).toMatchObject({ ok: true });
    expect(await store.put({ ...draft, context: { text: "two" }, version: 1 })).toMatchObject({ ok: true });
    await clock.advance(4 * dayMs);
    expect(await store.put({ ...draft, context: { text: "three" }, version: 2 })).toMatchObject({ ok: true });
    await retention.run();
    expect(await store.history("n")).toHaveLength(3);
    await clock.advance(2 * dayMs);
    await retention.run();
    expect(await store.history("n")).toHaveLength(1);
  });

  it("RT10: removes the kept answers of calls after the hours that the configuration says", async () => {
    const clock = createFakeClock(1_800_000_000_000);
    await using server = await openTestServer({ config: { retention: { answersHours: 2 } }, rack: { clock } });
    const call = { body: { input: { text: "x" } }, headers: { "idempotency-key": "k1" } };
    expect((await server.request("POST", "/api/v1/tools/echo/call", call)).status).toBe(200);
    await clock.advance(dayMs / 24);
    expect((await server.rack.retention.run()).removed).toMatchObject({ answers: 0 });
    await clock.advance(dayMs / 12);
    expect((await server.rack.retention.run()).removed).toMatchObject({ answers: 1 });
  });

  it("RT11: a reader of events that comes back too late is told to read anew, and then goes on", async () => {
    const clock = createFakeClock(1_800_000_000_000);
    await using server = await openTestServer({ config: { retention: { revisionsPerRecord: 1, auditRows: 1 } }, rack: { clock } });
    const { rack } = server;
    const put = async (text: string): Promise<void> => {
      const version = (await rack.store.get("n"))?.version;
      const draft = { id: "n", schema_name: "note.v1", title: "n", context: { text } };
      expect(await rack.store.put({ ...draft, ...(version !== undefined && { version }) })).toMatchObject({ ok: true });
    };
    await put("one");
    const id = `${await rack.store.sequence()}.0`;
    for (let index = 0; index < 3; index++) await server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "x" } } });
    await put("two");
    await put("three");
    await clock.advance(8 * dayMs);
    await put("four");
    await rack.retention.run();
    const controller = new AbortController();
    const response = await server.request("GET", "/api/v1/events", { headers: { "last-event-id": id }, signal: controller.signal });
    expect(response.status).toBe(200);
    const seen: { event: string; id?: string; data: { of?: string } }[] = [];
    for await (const event of readEvents(response)) {
      seen.push(event as (typeof seen)[number]);
      if (seen.filter((one) => one.event === "reset").length === 2 && seen.at(-1)!.event === "reset") await put("five");
      if (event.event === "record-updated") break;
    }
    controller.abort();
    expect(new Set(seen.filter(({ event }) => event === "reset").map(({ data }) => data.of))).toEqual(new Set(["records", "calls"]));
    expect(seen.at(-1)).toMatchObject({ event: "record-updated", data: { record: { context: { text: "five" } } } });
  });
});
