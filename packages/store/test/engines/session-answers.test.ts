import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine, Writes } from "../../src/engine/engine.ts";
import type { SessionInboxRow, SessionRow, SessionRowFilter } from "../../src/engine/sessions.ts";
import { cheapEngines, undone } from "./_engines.ts";

function session(id: string, more: Partial<SessionRow> = {}): SessionRow {
  return {
    owner: "o",
    id,
    key: `key-${id}`,
    agent: "a",
    kind: "main",
    parent: undefined,
    depth: 0,
    createdAt: 1,
    label: undefined,
    status: "idle",
    model: undefined,
    usage: "{}",
    state: undefined,
    result: undefined,
    touched: 10,
    endedAt: undefined,
    last: 0,
    bytes: 0,
    holder: "",
    fence: 0,
    leaseEndsAt: 0,
    inboxLast: 0,
    inboxCount: 0,
    inboxBytes: 0,
    ...more,
  };
}

const full = session("3", {
  key: "Agent:main",
  parent: "1",
  depth: 2,
  label: "The Ä Label",
  status: "running",
  model: "m",
  state: "1",
  result: "2",
  touched: 30,
  last: 3,
  bytes: 4,
  holder: "h",
  fence: 5,
  leaseEndsAt: 6,
  inboxLast: 7,
  inboxCount: 8,
  inboxBytes: 9,
});

const rows: readonly SessionRow[] = [
  session("1"),
  session("2", { agent: "b", kind: "sub", endedAt: 50, status: "ended", touched: 20 }),
  full,
  session("4", { label: "other", kind: "cron", touched: 10 }),
  session("5", { owner: "p", key: "Agent:main", endedAt: 5, status: "ended" }),
  session("6", { endedAt: 40, status: "ended", touched: 5 }),
];

const inbox = (place: number, more: Partial<SessionInboxRow> = {}): SessionInboxRow => ({
  owner: "o",
  session: "3",
  place,
  content: `text ${place}`,
  fromKind: "user",
  fromId: undefined,
  at: place,
  source: undefined,
  taken: false,
  ...more,
});

const messages = [1, 2, 3].map((seq) => ({ owner: "o", session: "3", seq, at: seq * 10, body: `{"n":${seq}}` }));
const waiting = [inbox(1), inbox(2, { source: "s2", fromId: "me" }), inbox(3), inbox(4, { source: "s4" })];

describe.each(cheapEngines)("sessions in %s", (_, open) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open();
    await engine.writeAudit(async (tx) => {
      for (const row of rows) expect(await tx.addSession(row)).toBe(true);
      await tx.addSessionMessages(messages.slice(0, 2));
      await tx.addInboxMessages(waiting);
    });
    await engine.writeAudit(async (tx) => {
      await tx.addSessionMessages(messages.slice(2));
      expect(await tx.sessionMessages("o", "3", 0, 9)).toEqual(messages);
    });
  });
  afterAll(() => engine.close());
  /** Nothing of it stays. */
  const taken = async (work: (tx: Writes) => Promise<void>): Promise<void> => {
    await undone(engine, work);
    expect(await engine.session("o", "3")).toEqual(full);
  };

  it("are read as they were added", async () => {
    for (const row of rows) expect(await engine.session(row.owner, row.id)).toEqual(row);
    expect(await engine.session("p", "1")).toBeUndefined();
    expect(await engine.sessionWithKey("o", "Agent:main")).toEqual(full);
    expect((await engine.sessionWithKey("p", "Agent:main"))?.id).toBe("5");
    expect(await engine.sessionWithKey("p", "key-1")).toBeUndefined();
    expect(await Promise.all([engine.countSessions("o"), engine.countSessions("p"), engine.countSessions(undefined)])).toEqual([5, 1, 6]);
  });

  it.each<[filter: SessionRowFilter, limit: number, offset: number, wanted: string[]]>([
    [{}, 9, 0, ["3", "2", "4", "1", "6"]],
    [{}, 2, 1, ["2", "4"]],
    [{ agent: "b" }, 9, 0, ["2"]],
    [{ kinds: ["sub", "cron"] }, 9, 0, ["2", "4"]],
    [{ kinds: ["sub"] }, 9, 0, ["2"]],
    [{ parent: "1" }, 9, 0, ["3"]],
    [{ label: "other" }, 9, 0, ["4"]],
    [{ status: "ended" }, 9, 0, ["2", "6"]],
    [{ touchedSince: 20 }, 9, 0, ["3", "2"]],
    [{ touchedSince: 20.5 }, 9, 0, ["3", "2"]],
    [{ hasInbox: true }, 9, 0, ["3"]],
    [{ hasInbox: false }, 1, 0, ["3"]],
    [{ search: "" }, 9, 0, ["3", "2", "4", "1", "6"]],
    [{ search: "AGENT:M" }, 9, 0, ["3"]],
    [{ search: "Ä lab" }, 9, 0, ["3"]],
    [{ search: "ä lab" }, 9, 0, []],
    [{ search: "ke" }, 9, 0, ["2", "4", "1", "6"]],
    [{ search: "OTHER" }, 9, 0, ["4"]],
    [{ agent: "a", status: "idle", search: "key-1" }, 9, 0, ["1"]],
  ])("are listed with %j, at most %d from %d on", async (filter, limit, offset, wanted) => {
    expect((await engine.sessions("o", filter, limit, offset)).map(({ id }) => id)).toEqual(wanted);
  });

  it("have their messages in order", async () => {
    expect(await engine.sessionMessages("o", "3", 1, 1)).toEqual([messages[1]]);
    expect(await engine.sessionMessages("o", "3", 3, 9)).toEqual([]);
    expect(await engine.sessionMessages("p", "3", 0, 9)).toEqual([]);
    expect(await engine.sessionMessages("o", "1", 0, 9)).toEqual([]);
  });

  it("have an inbox, in its order, and remember what was taken by its source", async () => {
    expect(await engine.inboxMessages("o", "3")).toEqual(waiting);
    expect(await engine.inboxMessageFrom("o", "3", "s4")).toEqual(waiting[3]);
    expect(await engine.inboxMessageFrom("o", "3", "s5")).toBeUndefined();
    expect(await engine.inboxMessages("p", "3")).toEqual([]);
    await taken(async (tx) => {
      await tx.takeInboxMessages("o", "3", 3);
      expect(await tx.inboxMessages("o", "3")).toEqual([waiting[3]]);
      expect(await tx.inboxMessageFrom("o", "3", "s2")).toEqual({ ...waiting[1], taken: true });
      await tx.addInboxMessages([inbox(5)]);
      expect((await tx.inboxMessages("o", "3")).map(({ place }) => place)).toEqual([4, 5]);
    });
    expect(await engine.inboxMessages("o", "3")).toEqual(waiting);
  });

  it("have keys that nobody else of the owner gets", async () => {
    await taken(async (tx) => {
      expect(await tx.addSession(session("9", { key: "Agent:main" }))).toBe(false);
      expect(await tx.session("o", "9")).toBeUndefined();
      expect(await tx.addSession(session("9", { owner: "q", key: "Agent:main" }))).toBe(true);
    });
  });

  it("are locked with the time of the database, and change in what is named", async () => {
    await taken(async (tx) => {
      const before = Date.now();
      const locked = await tx.lockSession("o", "3");
      expect(locked?.row).toEqual(full);
      expect(Math.abs(locked!.now - before)).toBeLessThan(60_000);
      expect(await tx.lockSession("o", "nobody")).toBeUndefined();
      await tx.changeSession("o", "3", { status: "waiting", touched: 99, fence: 6, endedAt: 7, model: "n" });
      expect(await tx.session("o", "3")).toEqual({ ...full, status: "waiting", touched: 99, fence: 6, endedAt: 7, model: "n" });
      await tx.changeSession("o", "3", {
        label: "l",
        usage: "[]",
        state: "s",
        result: "r",
        last: 11,
        bytes: 12,
        holder: "g",
        leaseEndsAt: 13,
        inboxLast: 14,
        inboxCount: 15,
        inboxBytes: 16,
      });
      expect(await tx.session("o", "3")).toMatchObject({
        label: "l",
        usage: "[]",
        state: "s",
        result: "r",
        last: 11,
        bytes: 12,
        holder: "g",
      });
      expect(await tx.session("o", "3")).toMatchObject({
        leaseEndsAt: 13,
        inboxLast: 14,
        inboxCount: 15,
        inboxBytes: 16,
        status: "waiting",
      });
      expect(await tx.session("o", "1")).toEqual(rows[0]);
    });
  });

  it("leave with their messages and their inbox, and with nothing of others", async () => {
    await taken(async (tx) => {
      await tx.removeSession("o", "3");
      expect(await tx.session("o", "3")).toBeUndefined();
      expect(await tx.sessionMessages("o", "3", 0, 9)).toEqual([]);
      expect(await tx.inboxMessages("o", "3")).toEqual([]);
      expect(await tx.inboxMessageFrom("o", "3", "s4")).toBeUndefined();
      expect(await tx.countSessions("o")).toBe(4);
      expect(await tx.addSession(session("3"))).toBe(true);
      expect(await tx.sessionWithKey("o", "key-3")).toEqual(session("3"));
    });
    expect(await engine.sessionMessages("o", "3", 0, 9)).toEqual(messages);
  });

  it("leave some time after their end, those that ended first before others", async () => {
    await taken(async (tx) => {
      expect(await tx.trimSessions("o", 39.9, 9)).toBe(0);
      expect(await tx.trimSessions("o", 50, 1)).toBe(1);
      expect([await tx.session("o", "6"), (await tx.session("o", "2"))?.id]).toEqual([undefined, "2"]);
      expect(await tx.trimSessions("o", 50, 9)).toBe(1);
      expect(await tx.countSessions("o")).toBe(3);
      expect(await tx.countSessions("p")).toBe(1);
    });
  });

  it("are the same after a transaction that changed, removed and emptied", async () => {
    const other = await open();
    await other.writeAudit(async (tx) => {
      await tx.addSession(session("1"));
      await tx.addSession(session("2"));
      await tx.addSessionMessages([{ owner: "o", session: "1", seq: 1, at: 1, body: "1" }]);
      await tx.addInboxMessages([inbox(1, { session: "1" }), inbox(2, { session: "1", source: "s" })]);
    });
    await other.writeAudit(async (tx) => {
      await tx.takeInboxMessages("o", "1", 2);
      await tx.removeSession("o", "2");
    });
    expect(await other.countSessions("o")).toBe(1);
    expect(await other.inboxMessages("o", "1")).toEqual([]);
    expect((await other.inboxMessageFrom("o", "1", "s"))?.taken).toBe(true);
    expect(await other.sessionMessages("o", "1", 0, 9)).toHaveLength(1);
    await other.writeAudit((tx) => tx.removeSession("o", "1"));
    expect(await other.sessionMessages("o", "1", 0, 9)).toEqual([]);
    expect(await other.inboxMessageFrom("o", "1", "s")).toBeUndefined();
    await other.close();
  });
});
