import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditRow } from "../../src/engine/audit.ts";
import type { DefinitionLogFilter, DefinitionLogRow } from "../../src/engine/definition-log.ts";
import type { Engine, StoredRows } from "../../src/engine/engine.ts";
import type { Note } from "../../src/engine/notes.ts";
import type { SecretRow } from "../../src/engine/secrets.ts";
import type { SessionInboxRow, SessionRow } from "../../src/engine/sessions.ts";
import type { TicketFilter, TicketName, TicketRow } from "../../src/engine/tickets.ts";
import { cheapEngines, undone } from "./_engines.ts";

const ticket = (name: string, more: Partial<TicketRow> = {}): TicketRow => ({
  owner: "o",
  kind: "task",
  name,
  version: 1,
  group: "g",
  holder: "",
  isOpen: true,
  createdAt: 10,
  endsAt: 100,
  body: "{}",
  ...more,
});
const tickets = [
  ticket("b", { holder: "s2", version: 3, body: "[1]" }),
  ticket("a"),
  ticket("c", { createdAt: 5, isOpen: false, group: "h", holder: "s1" }),
  ticket("d", { createdAt: 20, endsAt: 30, holder: "s1" }),
  ticket("a", { kind: "wish", holder: "s3" }),
  ticket("a", { owner: "p" }),
  ticket("e", { createdAt: 20, endsAt: 30, isOpen: false }),
];

const note = (name: string, more: Partial<Note> = {}): Note => ({
  owner: "o",
  kind: "answer",
  name,
  holder: "",
  endsAt: undefined,
  body: "{}",
  ...more,
});

const secret = (owner: string, name: string, keyId: string): SecretRow => ({
  owner,
  name,
  keyId,
  version: 2,
  wrappedKey: `w-${name}`,
  sealed: `s-${name}`,
  updatedAt: 9,
});
const secrets = [secret("p", "a", "k1"), secret("o", "c", "k1"), secret("o", "a", "k2"), secret("o", "b", "k1")];

const entry = (index: number, more: Partial<DefinitionLogRow> = {}): DefinitionLogRow => ({
  index,
  at: index * 10,
  owner: "o",
  kind: "seen",
  source: "s",
  tool: "t",
  body: `{"n":${index}}`,
  nodes: "ab".repeat(32),
  ...more,
});
const log = [entry(0), entry(1, { source: "r" }), entry(2, { owner: "p" }), entry(3, { tool: "u" }), entry(4)];

const emptySession: SessionRow = {
  owner: "o",
  id: "",
  key: "",
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
};

const names = (rows: readonly { readonly name: string }[]): string[] => rows.map(({ name }) => name);

describe.each(cheapEngines)("what servers share in %s", (_, open) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open();
    await engine.write(async (tx) => {
      await tx.addTickets(tickets);
      for (const row of secrets) await tx.saveSecret(row);
      await tx.appendLog(log.slice(0, 2));
      await tx.appendLog(log.slice(2));
    });
  });
  afterAll(() => engine.close());

  describe("tickets", () => {
    it("are read as they were added", async () => {
      for (const row of tickets) expect(await engine.ticket(row.owner, row.kind, row.name)).toEqual(row);
      expect(await engine.ticket("p", "wish", "a")).toBeUndefined();
      const marks = (await engine.ticketMarks("o", "task", ["b", "x", "a", "a"])).toSorted((a, b) => (a.name < b.name ? -1 : 1));
      expect(marks).toEqual([
        { name: "a", version: 1, endsAt: 100 },
        { name: "b", version: 3, endsAt: 100 },
      ]);
      expect(await engine.ticketMarks("o", "task", [])).toEqual([]);
      expect(await engine.ticketHolders("o", "task", 29.5)).toEqual(["s1", "s2"]);
      expect(await engine.ticketHolders("o", "task", 30)).toEqual(["s2"]);
      expect(await engine.ticketHolders("o", "wish", 0)).toEqual(["s3"]);
    });

    it.each<[filter: TicketFilter, limit: number, wanted: string[]]>([
      [{}, 9, ["c", "a", "b", "d", "e"]],
      [{}, 2, ["c", "a"]],
      [{ isOpen: true }, 9, ["a", "b", "d"]],
      [{ isOpen: false }, 9, ["c", "e"]],
      [{ holder: "s1" }, 9, ["c", "d"]],
      [{ holder: "" }, 9, ["a", "e"]],
      [{ endsAfter: 30.9 }, 9, ["c", "a", "b"]],
      [{ endsAfter: 29 }, 9, ["c", "a", "b", "d", "e"]],
    ])("are listed with %j, at most %d", async (filter, limit, wanted) => {
      expect(names(await engine.tickets("o", "task", filter, limit))).toEqual(wanted);
    });

    it("are added where their name is free and their group has room, else not", async () => {
      await undone(engine, async (tx) => {
        const room = { most: 9, now: 50 };
        expect(await tx.addTicket(ticket("a", { body: "new" }), room)).toBe("taken");
        expect((await tx.ticket("o", "task", "a"))?.body).toBe("{}");
        expect(await tx.addTicket(ticket("d", { createdAt: 60.9, endsAt: 90.9, body: "again" }), room)).toBe("added");
        expect(await tx.ticket("o", "task", "d")).toEqual(ticket("d", { createdAt: 60, endsAt: 90, body: "again" }));
        // Of the group "g" now: a, b and d, all open.
        expect(await tx.addTicket(ticket("f"), { most: 3, now: 50 })).toBe("full");
        expect(await tx.ticket("o", "task", "f")).toBeUndefined();
        expect(await tx.addTicket(ticket("f", { isOpen: false }), { most: 4, now: 50 })).toBe("added");
        expect(await tx.addTicket(ticket("h", { isOpen: false, createdAt: 3 }), { most: 5, now: 50 })).toBe("added");
        expect(await tx.addTicket(ticket("i"), { most: 5, now: 50 })).toBe("added");
        expect(names(await tx.tickets("o", "task", { endsAfter: 50 }, 99))).toEqual(["c", "a", "b", "f", "i", "d"]);
        expect(await tx.addTicket(ticket("j", { group: "new" }), { most: 1, now: 50 })).toBe("added");
      });
    });

    it("are replaced at their version alone, and removed once", async () => {
      await undone(engine, async (tx) => {
        const next = ticket("b", { version: 4, holder: "s9", isOpen: false, group: "h", createdAt: 1, endsAt: 2, body: "n" });
        expect(await tx.replaceTicket(next, 2)).toBe(false);
        expect(await tx.replaceTicket(ticket("x"), 1)).toBe(false);
        expect(await tx.ticket("o", "task", "b")).toEqual(tickets[0]);
        expect(await tx.replaceTicket(next, 3)).toBe(true);
        expect(await tx.ticket("o", "task", "b")).toEqual(next);
        const gone: TicketName = { owner: "o", kind: "task", name: "a" };
        expect([await tx.removeTicket(gone), await tx.removeTicket(gone)]).toEqual([true, false]);
        expect(await tx.ticket("o", "task", "a")).toBeUndefined();
        expect([await tx.ticket("o", "wish", "a"), await tx.ticket("p", "task", "a")]).toEqual([tickets[4], tickets[5]]);
      });
    });

    it("leave after their end, a few at a time", async () => {
      await undone(engine, async (tx) => {
        expect(await tx.trimTickets("o", "task", 29.9, 9)).toBe(0);
        expect(await tx.trimTickets("o", "task", 30, 1)).toBe(1);
        expect(names(await tx.tickets("o", "task", {}, 9))).toEqual(["c", "a", "b", "e"]);
        expect(await tx.trimTickets("o", "task", 100, 9)).toBe(4);
        expect(names(await tx.tickets("o", "wish", {}, 9))).toEqual(["a"]);
        expect(names(await tx.tickets("p", "task", {}, 9))).toEqual(["a"]);
      });
    });

    it("are told of by name when one changed, and only then", async () => {
      const own = await open();
      const told: (TicketName | undefined)[] = [];
      const stop = own.onTicket((name) => told.push(name));
      await own.writeAudit((tx) => tx.addTicket(ticket("a"), { most: 9, now: 0 }));
      await own.writeAudit((tx) => tx.replaceTicket(ticket("a", { version: 2 }), 1));
      await own.writeAudit((tx) => tx.removeTicket(ticket("a")));
      await expect.poll(() => told.length).toBeGreaterThanOrEqual(3);
      expect(told.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => ({ owner: "o", kind: "task", name: "a" })));
      stop();
      const before = told.length;
      await own.writeAudit((tx) => tx.addTicket(ticket("b"), { most: 9, now: 0 }));
      expect(told).toHaveLength(before);
      await own.close();
    });
  });

  it("is in one order, whatever the order in which it came", async () => {
    const own = await open();
    const content = (chain: string, number: number): AuditRow => ({
      number,
      at: 1,
      owner: "o",
      kind: "call",
      agent: "a",
      principal: "",
      subject: "s",
      callId: null,
      ok: null,
      code: null,
      durationMs: null,
      body: "{}",
      previous: "",
      hash: `h${number}`,
      chain,
      place: 1,
      keyId: "",
    });
    const chainOf = (chain: string, hash: string) => ({ chain, first: { place: 0, hash: "" }, last: { place: 1, hash } });
    await own.write(async (tx) => {
      await tx.addAudit([content("c", 1), content("a", 2), content("b", 3)]);
      const audit = { first: { number: 0, hash: "" }, last: { number: 3, hash: "" } };
      await tx.setEnds({ sequence: 0, changesBegin: 0, audit, chains: [chainOf("c", "h1"), chainOf("a", "h2"), chainOf("b", "h3")] });
      for (const id of ["1", "3", "2"]) await tx.addSession({ ...emptySession, id, key: id, label: "kept", endedAt: 5 });
      await tx.addTickets([ticket("z", { endsAt: 5 }), ticket("x", { endsAt: 5 }), ticket("y", { endsAt: 5 })]);
      await tx.saveNotes([note("z"), note("x"), note("y")]);
      for (const name of ["z", "x", "y"]) await tx.noteSighting("o", { name, seenAt: 1, info: "{}" });
    });
    expect((await own.auditChains()).map(({ chain }) => chain)).toEqual(["a", "b", "c"]);
    expect((await own.chainsSince(0)).ends.map(({ chain, number }) => [chain, number])).toEqual([
      ["a", 2],
      ["b", 3],
      ["c", 1],
    ]);
    expect((await own.sessions("o", {}, 9, 0)).map(({ id }) => id)).toEqual(["3", "2", "1"]);
    expect(names(await own.notes("o", "answer", 9))).toEqual(["x", "y", "z"]);
    expect(names(await own.sightings("o"))).toEqual(["x", "y", "z"]);
    expect(await own.snapshot((snapshot) => snapshot.ends())).toMatchObject({ chains: [{ chain: "a" }, { chain: "b" }, { chain: "c" }] });
    await own.write(async (tx) => {
      expect((await tx.auditAfter(0, 9)).map(({ number }) => number)).toEqual([1, 2, 3]);
      expect(await tx.trimTickets("o", "task", 5, 1)).toBe(1);
      expect(names(await tx.tickets("o", "task", {}, 9))).toEqual(["y", "z"]);
      await tx.changeSession("o", "2", { label: undefined, touched: 12 });
      expect(await tx.session("o", "2")).toMatchObject({ label: "kept", touched: 12 });
    });
    const { applied, known } = await own.migrations();
    expect([applied, known > 0]).toEqual([known, own.kind !== "memory"]);
    await own.close();
  });

  it("is copied by a snapshot, kind by kind, by owner and name", async () => {
    const own = await open();
    const notes = [note("b", { kind: "running" }), note("b"), note("a"), note("a", { owner: "n" })];
    const session = (owner: string, id: string, last: number): SessionRow => ({ ...emptySession, owner, id, key: `key ${id}`, last });
    const sessions = [session("p", "a", 1), session("o", "b", 2), session("o", "a", 0)];
    const message = (owner: string, id: string, seq: number) => ({ owner, session: id, seq, at: seq, body: `${seq}` });
    const waiting = (owner: string, id: string, place: number): SessionInboxRow => ({
      owner,
      session: id,
      place,
      content: "{}",
      fromKind: "person",
      fromId: undefined,
      at: 1,
      source: `${place}`,
      taken: place === 2,
    });
    await own.write(async (tx) => {
      await tx.addTickets(tickets);
      for (const row of secrets) await tx.saveSecret(row);
      await tx.saveNotes(notes);
      await tx.appendLog(log);
      for (const row of sessions) await tx.addSession(row);
      await tx.addSessionMessages([message("p", "a", 1), message("o", "b", 1), message("o", "b", 2)]);
      await tx.addInboxMessages([waiting("o", "b", 1), waiting("o", "b", 2)]);
    });
    const [pa, oc, oa, ob] = secrets;
    const wanted = {
      changes: [],
      heads: [],
      audit: [],
      secrets: [oa, ob, oc, pa],
      notes: [notes[3], notes[2], notes[1], notes[0]],
      definitionLog: log,
      sessions: [sessions[2], sessions[1], sessions[0]],
      sessionMessages: [message("o", "b", 1), message("o", "b", 2), message("p", "a", 1)],
      sessionInbox: [waiting("o", "b", 1), waiting("o", "b", 2)],
      tickets: [tickets[1], tickets[0], tickets[2], tickets[3], tickets[6], tickets[4], tickets[5]],
    };
    await own.snapshot(async (snapshot) => {
      for (const [kind, rows] of Object.entries(wanted) as [keyof StoredRows, unknown[]][]) {
        const found: unknown[] = [];
        for await (const page of snapshot.pages(kind)) found.push(...page);
        expect({ [kind]: found }).toEqual({ [kind]: rows });
        expect(await snapshot.count(kind)).toBe(rows.length);
      }
      expect(await snapshot.ends()).toEqual({
        sequence: 0,
        changesBegin: 0,
        audit: { first: { number: 0, hash: "" }, last: { number: 0, hash: "" } },
        chains: [],
      });
    });
    await own.close();
  });

  it("is copied in pages, each row once", async () => {
    const own = await open();
    const many = Array.from({ length: 203 }, (_, index) => `n${String(index).padStart(3, "0")}`);
    await own.write(async (tx) => {
      await tx.saveNotes(many.map((name) => note(name)));
      await tx.addTickets(many.map((name) => ticket(name)));
    });
    await own.snapshot(async (snapshot) => {
      for (const kind of ["notes", "tickets"] as const) {
        const pages: string[][] = [];
        for await (const page of snapshot.pages(kind)) pages.push(names(page));
        expect(pages.flat()).toEqual(many);
        expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(100); // a page fits into memory
      }
    });
    await own.close();
  });

  describe("notes", () => {
    it("are saved, replaced, claimed once and removed by name", async () => {
      await undone(engine, async (tx) => {
        await tx.lockNotes();
        const first = [
          note("b", { holder: "s1", endsAt: 50, body: "[1]" }),
          note("a"),
          note("a", { kind: "running" }),
          note("a", { owner: "p" }),
        ];
        await tx.saveNotes(first);
        for (const row of first) expect(await tx.note(row.owner, row.kind, row.name)).toEqual(row);
        expect(await tx.note("p", "running", "a")).toBeUndefined();
        expect(await tx.notes("o", "answer", 9)).toEqual([first[1], first[0]]);
        expect(await tx.notes("o", "answer", 1)).toEqual([first[1]]);
        expect(await tx.notes("o", "answer", 9, "s1")).toEqual([first[0]]);
        await tx.saveNotes([note("a", { holder: "s1", body: "new" })]);
        expect(await tx.note("o", "answer", "a")).toEqual(note("a", { holder: "s1", body: "new" }));
        expect([await tx.claimNote(note("a")), await tx.claimNote(note("c"))]).toEqual([false, true]);
        expect(await tx.note("o", "answer", "c")).toEqual(note("c"));
        expect(await tx.note("o", "answer", "a")).toMatchObject({ body: "new" });
        await tx.removeNotes("o", "answer", []);
        await tx.removeNotes("o", "answer", ["a", "x", "c"]);
        expect(names(await tx.notes("o", "answer", 9))).toEqual(["b"]);
        expect(names(await tx.notes("o", "running", 9))).toEqual(["a"]);
        expect(names(await tx.notes("p", "answer", 9))).toEqual(["a"]);
      });
    });

    it("leave when they expired, and those that expire first of too many without a holder", async () => {
      await undone(engine, async (tx) => {
        const own = [
          note("x1", { endsAt: 10 }),
          note("x2", { endsAt: 40 }),
          note("x3", { endsAt: 20 }),
          note("x4", { endsAt: 15, holder: "s" }),
          note("y1", { endsAt: 30 }),
          note("y2", { endsAt: 11, kind: "running" }),
        ];
        await tx.saveNotes(own);
        expect(await tx.trimNotes("o", "answer", 9, 9)).toBe(0);
        expect(await tx.trimNotes("o", "answer", 10, 9)).toBe(1);
        expect(names(await tx.notes("o", "answer", 9))).toEqual(["x2", "x3", "x4", "y1"]);
        expect(await tx.trimNotes("o", "answer", 10, 1, "x")).toBe(1);
        expect(names(await tx.notes("o", "answer", 9))).toEqual(["x2", "x4", "y1"]);
        expect(await tx.trimNotes("o", "answer", 10, 1)).toBe(1);
        expect(names(await tx.notes("o", "answer", 9))).toEqual(["x2", "x4"]);
        expect(await tx.trimNotes("o", "answer", 15, 9)).toBe(1);
        expect(names(await tx.notes("o", "running", 9))).toEqual(["y2"]);
      });
    });
  });

  describe("secrets", () => {
    it("are read as they were saved, by owner, name and key", async () => {
      for (const row of secrets) expect(await engine.secret(row.owner, row.name)).toEqual(row);
      expect(await engine.secret("p", "b")).toBeUndefined();
      expect(await engine.secretNames("o")).toEqual(["a", "b", "c"]);
      expect(await engine.secretNames("q")).toEqual([]);
      const [pa, oc, oa, ob] = secrets;
      expect(await engine.secretsNotUnder("none", 9)).toEqual([oa, ob, oc, pa]);
      expect(await engine.secretsNotUnder("k1", 9)).toEqual([oa]);
      expect(await engine.secretsNotUnder("k2", 2)).toEqual([ob, oc]);
      expect(await engine.secretsNotUnder("none", 9, { owner: "o", name: "b" })).toEqual([oc, pa]);
      expect(await engine.secretsNotUnder("none", 9, { owner: "p", name: "" })).toEqual([pa]);
      const counts = (await engine.secretKeys()).toSorted((a, b) => (a.owner + a.keyId < b.owner + b.keyId ? -1 : 1));
      expect(counts).toEqual([
        { owner: "o", keyId: "k1", count: 2, name: "b" },
        { owner: "o", keyId: "k2", count: 1, name: "a" },
        { owner: "p", keyId: "k1", count: 1, name: "a" },
      ]);
    });

    it("are replaced and removed in a transaction", async () => {
      await undone(engine, async (tx) => {
        const next = { ...secret("o", "a", "k3"), version: 3, wrappedKey: "w", sealed: "s", updatedAt: 11.9 };
        await tx.saveSecret(next);
        expect(await tx.secret("o", "a")).toMatchObject({ version: 3, keyId: "k3", wrappedKey: "w", sealed: "s" });
        await tx.removeSecret("o", "b");
        await tx.removeSecret("o", "nobody");
        expect(await tx.secretNames("o")).toEqual(["a", "c"]);
        expect(await tx.secret("o", "b")).toBeUndefined();
      });
      expect(await engine.secretNames("o")).toEqual(["a", "b", "c"]);
    });
  });

  it("are sightings of servers: noted, renewed while they are there, forgotten", async () => {
    await undone(engine, async (tx) => {
      await tx.noteSighting("o", { name: "b", seenAt: 1, info: "{}" });
      await tx.noteSighting("o", { name: "a", seenAt: 2, info: "{}" });
      await tx.noteSighting("p", { name: "a", seenAt: 3, info: "{}" });
      await tx.noteSighting("o", { name: "b", seenAt: 4, info: "[1]" });
      expect(await tx.sightings("o")).toEqual([
        { name: "a", seenAt: 2, info: "{}" },
        { name: "b", seenAt: 4, info: "[1]" },
      ]);
      expect(await tx.renewSighting("o", { name: "a", seenAt: 5, info: "[2]" })).toBe(true);
      expect(await tx.renewSighting("o", { name: "c", seenAt: 5, info: "[2]" })).toBe(false);
      expect((await tx.sightings("o"))[0]).toEqual({ name: "a", seenAt: 5, info: "[2]" });
      expect([await tx.holdsLease({ owner: "o", name: "a" }), await tx.holdsLease({ owner: "p", name: "b" })]).toEqual([true, false]);
      await tx.forgetSighting("o", "a");
      expect(await tx.holdsLease({ owner: "o", name: "a" })).toBe(false);
      expect(names(await tx.sightings("o"))).toEqual(["b"]);
      expect(names(await tx.sightings("p"))).toEqual(["a"]);
    });
    expect(await engine.sightings("o")).toEqual([]);
  });

  it("are leases: one holder at a time, and tokens that grow", async () => {
    await undone(engine, async (tx) => {
      expect(await tx.takeClusterLease("o", "l", "a", 60_000)).toBe(1);
      expect(await tx.takeClusterLease("o", "l", "b", 60_000)).toBeUndefined();
      expect(await tx.takeClusterLease("p", "l", "b", 60_000)).toBe(1);
      const [held, wrong] = [
        { name: "l", token: 1 },
        { name: "l", token: 2 },
      ];
      expect([await tx.holdsClusterLease("o", held), await tx.holdsClusterLease("o", wrong)]).toEqual([true, false]);
      expect([await tx.renewClusterLease("o", held, 60_000), await tx.renewClusterLease("o", wrong, 60_000)]).toEqual([true, false]);
      await tx.releaseClusterLease("o", wrong);
      expect(await tx.holdsClusterLease("o", held)).toBe(true);
      await tx.releaseClusterLease("o", held);
      expect([await tx.holdsClusterLease("o", held), await tx.renewClusterLease("o", held, 1)]).toEqual([false, false]);
      expect(await tx.takeClusterLease("o", "l", "b", -1)).toBe(2);
      expect(await tx.takeClusterLease("o", "l", "c", 60_000)).toBe(3);
      expect(await tx.renewClusterLease("o", { name: "l", token: 3 }, -60_000)).toBe(true);
      expect(await tx.takeClusterLease("o", "l", "d", 60_000)).toBe(4);
    });
  });

  it("is the log of definitions, by index and by what it is about", async () => {
    expect(await engine.logSize()).toBe(5);
    expect(await engine.logFrom(1, 2)).toEqual(log.slice(1, 3));
    expect(await engine.logFrom(5, 2)).toEqual([]);
    const nodes = (await engine.logNodes([3, 0, 9])).toSorted((a, b) => a.index - b.index);
    expect(nodes).toMatchObject([
      { index: 0, nodes: log[0]!.nodes },
      { index: 3, nodes: log[3]!.nodes },
    ]);
    const wanted: [before: number, limit: number, filter: DefinitionLogFilter, indexes: number[]][] = [
      [99, 9, { owner: "o" }, [4, 3, 1, 0]],
      [4, 2, { owner: "o" }, [3, 1]],
      [99, 9, { owner: "o", source: "s" }, [4, 3, 0]],
      [99, 9, { owner: "o", source: "s", tool: "t" }, [4, 0]],
      [99, 9, { owner: "o", tool: "u" }, [3]],
      [99, 9, { owner: "p" }, [2]],
      [0, 9, { owner: "o" }, []],
    ];
    for (const [before, limit, filter, indexes] of wanted)
      expect((await engine.logBefore(before, limit, filter)).map(({ index }) => index)).toEqual(indexes);
    expect(await engine.logBefore(2, 1, { owner: "o" })).toEqual([log[1]]);
  });
});
