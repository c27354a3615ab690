import { createFakeClock } from "@toolrack/core/testing";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { newTicket } from "./_ticket.ts";
import { applyRetention } from "../../retention/retention.ts";
import { insideOf } from "../../store/create-store.ts";
import { createTickets, type Ticket, type Tickets } from "../../tickets/tickets.ts";
import type { OpenStore, OpenTwo } from "./open.ts";

const names = (tickets: readonly Ticket[]): readonly string[] => tickets.map(({ name }) => name);
const unreachable = (error: unknown): never => {
  throw error;
};

/** What every engine promises of tickets. */
export function ticketsContract(open: OpenStore): void {
  describe("tickets", () => {
    it("are kept as they were given, under their kind and name, and are no records", async () => {
      const store = await open();
      const tickets = createTickets(store);
      const task = newTicket({ body: JSON.stringify({ text: "Größe \0 \ud800 '\"" }), holder: "server-1" });
      expect(await tickets.add(task)).toBe("added");
      expect(await tickets.add({ ...task, body: "2" })).toBe("taken");
      expect(await tickets.add(newTicket({ kind: "wish" }))).toBe("added");
      expect(await tickets.get("task", "one")).toEqual(task);
      for (const none of ["other", "", "a\0b", "\ud800", "é", "x".repeat(257)]) expect(await tickets.get("task", none)).toBeUndefined();
      expect([await store.sequence(), await store.searchBreadcrumbs({})]).toEqual([0, []]);
    });

    it("change only from the version before: of many at once, one wins", async () => {
      const tickets = createTickets(await open());
      await tickets.add(newTicket());
      const changes = Array.from({ length: 8 }, (_, index) => tickets.replace(newTicket({ version: 2, body: `${index}` })));
      expect((await Promise.all(changes)).filter(Boolean)).toHaveLength(1);
      expect(await tickets.replace(newTicket({ version: 2, body: "late" }))).toBe(false);
      expect(await tickets.replace(newTicket({ version: 4, body: "early" }))).toBe(false);
      expect(await tickets.replace(newTicket({ name: "none", version: 2 }))).toBe(false);
      const changed = newTicket({ version: 3, group: "bob", holder: "server-2", isOpen: false, createdAt: 6, endsAt: 3_999_999_999_999 });
      expect(await tickets.replace(changed)).toBe(true);
      expect(await tickets.get("task", "one")).toEqual(changed);
    });

    it("are claimed by one of many that add the same", async () => {
      const tickets = createTickets(await open());
      const outcomes = await Promise.all(Array.from({ length: 8 }, (_, index) => tickets.add(newTicket({ body: `${index}` }))));
      expect(outcomes.filter((outcome) => outcome === "added")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "taken")).toHaveLength(7);
    });

    it("are listed by who holds them and whether they are open, in the order of their creation", async () => {
      const tickets = createTickets(await open());
      for (const [index, name] of ["c", "a", "b"].entries())
        await tickets.add(newTicket({ name, createdAt: index < 2 ? 2 : 1, holder: "one" }));
      await tickets.add(newTicket({ name: "d", holder: "two", createdAt: 9 }));
      await tickets.add(newTicket({ name: "e", holder: "three", isOpen: false, createdAt: 0 }));
      await tickets.add(newTicket({ name: "f", createdAt: 10 }));
      expect(names(await tickets.list("task"))).toEqual(["e", "b", "a", "c", "d", "f"]);
      expect(names(await tickets.list("task", { holder: "one", isOpen: true }))).toEqual(["b", "a", "c"]);
      expect(names(await tickets.list("task", { isOpen: false }))).toEqual(["e"]);
      expect(await tickets.list("wish")).toEqual([]);
      expect(await tickets.holders("task")).toEqual(["one", "two"]);
    });

    it("of a group are limited: the oldest that are over make room, open ones never do", async () => {
      const store = await open();
      const tickets = createTickets(store);
      const theirs = createTickets(store.as({ owner: "other", agent: "a", roles: ["curator"] }));
      await theirs.add(newTicket({ name: "older", isOpen: false }));
      const add = (name: string, changes: Partial<Ticket> = {}) => tickets.add(newTicket({ name, ...changes }), 3);
      await add("open", { createdAt: 1 });
      await add("newer", { createdAt: 3, isOpen: false });
      await add("older", { createdAt: 2, isOpen: false });
      expect(await add("other", { group: "bob" })).toBe("added");
      expect(await add("wish", { kind: "wish" })).toBe("added");
      expect(await add("fourth", { createdAt: 4 })).toBe("added");
      expect(names(await tickets.list("task"))).toEqual(["open", "newer", "fourth", "other"].sort((a, b) => age[a]! - age[b]!));
      expect(await add("fifth", { createdAt: 6 })).toBe("added");
      expect(await add("sixth", { createdAt: 7 })).toBe("full");
      expect(await add("fifth")).toBe("taken");
      expect(names(await tickets.list("task"))).toEqual(["open", "fourth", "other", "fifth"]);
      expect(names(await theirs.list("task"))).toEqual(["older"]);
    });

    it("are gone when they expire: for readers, for limits, for their name, and for retention", async () => {
      const clock = createFakeClock(1_800_000_000_000);
      const store = await open({ clock });
      const tickets = createTickets(store);
      const brief = (name: string, kind: Ticket["kind"] = "task"): Ticket =>
        newTicket({ kind, name, holder: "one", endsAt: clock.now() + 1_000 });
      expect(await tickets.add(brief("a"), 1)).toBe("added");
      expect(await tickets.add(brief("call", "wish"))).toBe("added");
      expect(await tickets.add(newTicket({ name: "b" }), 1)).toBe("full");
      await clock.advance(1_000);
      expect([await tickets.get("task", "a"), await tickets.list("task"), await tickets.holders("task")]).toEqual([undefined, [], []]);
      expect(await tickets.add(newTicket({ name: "b" }), 1)).toBe("added");
      expect(await tickets.add(brief("call", "wish"))).toBe("added");
      const plan = { revisionsPerRecord: 1, changesMs: 0, deletedMs: 0 };
      expect(await applyRetention(store, { ...plan, endedTasksMs: Number.POSITIVE_INFINITY })).toMatchObject({ tasks: 0 });
      expect(await applyRetention(store, { ...plan, endedTasksMs: 1 })).toMatchObject({ tasks: 0 });
      await clock.advance(1);
      expect(await applyRetention(store, { ...plan, endedTasksMs: 1, answersOf: ["somebody"] })).toMatchObject({ tasks: 0 });
      expect(await applyRetention(store, { ...plan, endedTasksMs: 1 })).toMatchObject({ tasks: 1 });
      expect(names(await tickets.list("task"))).toEqual(["b"]);
      await clock.advance(1_000);
      await applyRetention(store, plan);
      expect(await insideOf(store).engine.tickets(store.actor.owner, "wish", {}, 10)).toEqual([]);
    });

    it("that have expired hide none of those that have not, however many they are", async () => {
      const clock = createFakeClock(1_800_000_000_000);
      const store = await open({ clock });
      const tickets = createTickets(store);
      const { owner } = store.actor;
      const old = Array.from({ length: 1_001 }, (_, index) => ({
        ...newTicket({ name: `old-${index}`, holder: "one", createdAt: 1, endsAt: clock.now() }),
        owner,
      }));
      await insideOf(store).engine.writeAudit((tx) => tx.addTickets(old));
      await tickets.add(newTicket({ name: "new", holder: "one", createdAt: 2, endsAt: clock.now() + 1 }));
      expect(names(await tickets.list("task", { holder: "one", isOpen: true }))).toEqual(["new"]);
      expect(names(await tickets.list("task"))).toEqual(["new"]);
    });

    it("of one owner are not there for another, who has the same names", async () => {
      const store = await open();
      const other = createTickets(store.as({ owner: "other", agent: "a", roles: ["curator"] }));
      const tickets = createTickets(store);
      await tickets.add(newTicket({ holder: "one" }), 1);
      expect([await other.get("task", "one"), await other.list("task"), await other.holders("task")]).toEqual([undefined, [], []]);
      expect(await other.replace(newTicket({ version: 2, body: "theirs" }))).toBe(false);
      expect(await other.remove("task", "one")).toBe(false);
      expect(await other.add(newTicket({ body: "theirs" }), 1)).toBe("added");
      expect((await tickets.get("task", "one"))?.body).toBe("1");
      expect(await tickets.remove("task", "one")).toBe(true);
      expect(await tickets.remove("task", "one")).toBe(false);
      expect((await other.get("task", "one"))?.body).toBe("theirs");
    });

    it("of another owner leave retention as many rows at once as it asks for", async () => {
      const clock = createFakeClock(1_800_000_000_000);
      const store = await open({ clock });
      const other = createTickets(store.as({ owner: "other", agent: "a", roles: ["curator"] }));
      await other.add(newTicket({ name: "theirs", endsAt: clock.now() + 1 }));
      await createTickets(store).add(newTicket({ endsAt: clock.now() + 2 }));
      await clock.advance(2);
      const { engine } = insideOf(store);
      const trim = (owner: string) => engine.writeAudit((tx) => tx.trimTickets(owner, "task", clock.now(), 1));
      expect([await trim(store.actor.owner), await trim(store.actor.owner)]).toEqual([1, 0]);
      expect(await engine.tickets("other", "task", {}, 10)).toHaveLength(1);
    });

    it("refuse readers, odd names and long bodies", async () => {
      const store = await open();
      const reader = createTickets(store.as({ owner: "local", agent: "x", roles: ["subscriber"] }));
      await expect(reader.add(newTicket())).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(reader.get("task", "one")).rejects.toMatchObject({ code: "FORBIDDEN" });
      const tickets = createTickets(store, { maxBodyBytes: 10 });
      for (const name of ["", "a b", "\0", "é"]) await expect(tickets.add(newTicket({ name }))).rejects.toThrow(/name of a task/);
      await expect(tickets.add(newTicket({ body: '"123456789"' }))).rejects.toMatchObject({ code: "RECORD_TOO_LARGE" });
      expect(await tickets.add(newTicket({ body: '"12345678"' }))).toBe("added");
    });

    it("tell who watches of every change, until it stops", async () => {
      const tickets = createTickets(await open());
      await tickets.add(newTicket());
      let told = 0;
      const stop = tickets.watch("task", "one", 1, () => (told += 1));
      let toldOther = 0;
      const stopOther = tickets.watch("task", "other", 0, () => (toldOther += 1));
      await tickets.replace(newTicket({ version: 2 }));
      await expect.poll(() => told > 0).toBe(true);
      const before = told;
      await tickets.remove("task", "one");
      await expect.poll(() => told > before).toBe(true);
      expect(toldOther).toBe(0);
      stop();
      const last = told;
      await tickets.add(newTicket());
      await tickets.add(newTicket({ name: "other" }));
      await expect.poll(() => toldOther > 0).toBe(true);
      stopOther();
      expect(told).toBe(last);
    });

    it("tell who begins to watch with an older version, and who watches one that expires", async () => {
      const clock = createFakeClock(1_800_000_000_000);
      const tickets = createTickets(await open({ clock }));
      await tickets.add(newTicket({ endsAt: clock.now() + 5_000 }));
      await tickets.replace(newTicket({ version: 2, endsAt: clock.now() + 5_000 }));
      let told = 0;
      const stop = tickets.watch("task", "one", 1, () => (told += 1));
      await expect.poll(() => told).toBe(1);
      await expect
        .poll(async () => {
          await clock.advance(1_000);
          return told > 1;
        })
        .toBe(true);
      expect(await tickets.get("task", "one")).toBeUndefined();
      stop();
    });
  });
}

const age: Readonly<Record<string, number>> = { open: 1, newer: 3, fourth: 4, other: 5 };

/** What engines promise whose database others use, too. */
export function sharedTicketsContract(openTwo: OpenTwo): void {
  describe("tickets on a shared database", () => {
    const both = async (): Promise<readonly [Tickets, Tickets]> => {
      const [here, there] = await openTwo();
      return [createTickets(here), createTickets(there)];
    };

    it("are there for the other as soon as they were added, and change for one of both", async () => {
      const [here, there] = await both();
      expect(await here.add(newTicket())).toBe("added");
      expect(await there.get("task", "one")).toEqual(newTicket());
      for (let version = 2; version < 12; version++) {
        const done = await Promise.all([here, there].map((tickets) => tickets.replace(newTicket({ version }))));
        expect(done.filter(Boolean)).toHaveLength(1);
      }
    });

    it("tell who watches and who follows in the other", async () => {
      const [here, there] = await both();
      await here.add(newTicket());
      let told = 0;
      const stop = there.watch("task", "one", 1, () => (told += 1));
      const followed: string[] = [];
      const leave = there.follow("wish", {
        isWanted: (name) => name !== "unwanted",
        onTicket: ({ name, body }) => followed.push(`${name} ${body}`),
        onError: unreachable,
      });
      await here.replace(newTicket({ version: 2 }));
      await expect.poll(() => told > 0).toBe(true);
      await here.add(newTicket({ kind: "wish", name: "unwanted" }));
      await here.add(newTicket({ kind: "wish", name: "call" }));
      await expect.poll(() => followed.includes("call 1")).toBe(true);
      await here.replace(newTicket({ kind: "wish", name: "call", version: 2, body: "2" }));
      await expect.poll(() => followed.includes("call 2")).toBe(true);
      expect(followed.some((one) => one.startsWith("unwanted"))).toBe(false);
      const before = told;
      await here.remove("task", "one");
      await expect.poll(() => told > before).toBe(true);
      stop();
      leave();
    });
  });
}
