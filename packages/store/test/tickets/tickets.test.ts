import { createFakeClock } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/engine/engine.ts";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { createStore } from "../../src/store/create-store.ts";
import { newTicket } from "../../src/testing/contract/_ticket.ts";
import { createTickets, type Ticket, type TicketsOptions } from "../../src/tickets/tickets.ts";

const now = 1_800_000_000_000;

/** Tickets in memory. `marks` are the names of each look of those who watch; `change` replaces parts of the engine. */
function open(options?: TicketsOptions) {
  const clock = createFakeClock(now);
  const memory = createMemoryEngine();
  const marks: (readonly string[])[] = [];
  const state = { fails: false, listeners: 0, tell: undefined as Parameters<Engine["onTicket"]>[0] | undefined };
  const store = createStore(
    {
      ...memory,
      async ticketMarks(owner, kind, names) {
        marks.push(names.map((name) => `${kind} ${name}`));
        if (state.fails) throw new Error("away");
        return memory.ticketMarks(owner, kind, names);
      },
      onTicket(listener) {
        state.listeners += 1;
        state.tell = listener;
        const stop = memory.onTicket(listener);
        return () => {
          state.listeners -= 1;
          stop();
        };
      },
    },
    { clock },
  );
  afterThisTest(() => store.close());
  return { clock, store, marks, state, tickets: createTickets(store, options) };
}
const ticket = (name: string, more: Partial<Ticket> = {}): Ticket => newTicket({ name, endsAt: now + 60_000, ...more });

describe("tickets", () => {
  it("are there until they end, with everything but their owner", async () => {
    const { tickets, clock } = open();
    const one = ticket("a", { version: 1 });
    expect([await tickets.add(one), await tickets.add(one), await tickets.get("task", "a"), await tickets.get("wish", "a")]).toEqual([
      "added",
      "taken",
      one,
      undefined,
    ]);
    expect([await tickets.replace({ ...one, version: 3 }), await tickets.replace({ ...one, version: 2, body: "{}" })]).toEqual([
      false,
      true,
    ]);
    expect(await tickets.list("task")).toEqual([{ ...one, version: 2, body: "{}" }]);
    await clock.advance(59_999);
    expect(await tickets.get("task", "a")).toBeDefined();
    await clock.advance(1);
    expect([await tickets.get("task", "a"), await tickets.list("task")]).toEqual([undefined, []]);
  });

  it("have printable names and bodies of four million bytes", async () => {
    const { tickets } = open();
    const wrong = { code: "QUERY_INVALID", message: "The name of a task must be 1 to 256 printable ASCII characters." };
    for (const name of ["", "a b", "ä", "x".repeat(257)]) {
      await expect(tickets.add(ticket(name))).rejects.toMatchObject(wrong);
      expect([await tickets.get("task", name), await tickets.remove("task", name)]).toEqual([undefined, false]);
    }
    expect(await tickets.add(ticket("x".repeat(256), { body: "ä".repeat(2_097_152) }))).toBe("added");
    await expect(tickets.add(ticket("b", { body: "x".repeat(4_194_305) }))).rejects.toMatchObject({
      code: "RECORD_TOO_LARGE",
      message: "The task has 4194305 bytes, and the limit is 4194304. Nothing was written; keep less in it.",
    });
    const small = open({ maxBodyBytes: 3 });
    await expect(small.tickets.add(ticket("b", { body: "1234" }))).rejects.toMatchObject({ code: "RECORD_TOO_LARGE" });
    expect(await small.tickets.add(ticket("b", { body: "123" }))).toBe("added");
  });

  it("are for those who may write", async () => {
    const { store } = open();
    const others = createTickets(store.as({ owner: "local", agent: "r", roles: ["subscriber"] }));
    const message = '"r" may not use tickets: that needs the role "emitter".';
    for (const act of [
      () => others.add(ticket("a")),
      () => others.replace(ticket("a")),
      () => others.get("task", "a"),
      () => others.list("task"),
      () => others.holders("task"),
      () => others.remove("task", "a"),
    ])
      await expect(act()).rejects.toMatchObject({ code: "FORBIDDEN", message });
    expect(() => others.watch("task", "a", 0, () => undefined)).toThrow(message);
    const follower = { isWanted: () => true, onTicket: () => undefined, onError: () => undefined };
    expect(() => others.follow("task", follower)).toThrow(message);
  });

  it("are watched: told of another version, of their end, and of nothing else", async () => {
    const { tickets, clock, state } = open();
    await tickets.add(ticket("a", { version: 1 }));
    const told: string[] = [];
    const watch = (name: string, known: number, as = name) => tickets.watch("task", name, known, () => told.push(as));
    const stops = [watch("a", 1), watch("b", 0)];
    await turns(5);
    expect(told.splice(0)).toEqual([]);
    stops.push(watch("a", 0, "late"));
    await turns(5);
    expect(told.splice(0)).toEqual(["a", "late"]);
    await tickets.replace(ticket("a", { version: 2 }));
    await turns(5);
    expect(told.splice(0)).toEqual(["a", "late"]);
    await tickets.add(ticket("c"));
    await turns(5);
    expect(told).toEqual([]);
    await clock.advance(60_000);
    await turns(5);
    expect(told.splice(0)).toEqual(["a", "late"]);
    for (const stop of stops) stop();
    expect([state.listeners, clock.pending]).toEqual([0, 0]);
  });

  it("are looked at together, by their kind, and again when the database may have been away", async () => {
    const { tickets, marks, state, clock } = open();
    await tickets.add(ticket("a", { version: 1 }));
    const told: string[] = [];
    tickets.watch("task", "a", 1, () => told.push("a"));
    tickets.watch("wish", "b", 0, () => told.push("b"));
    await turns(5);
    expect(marks.splice(0)).toEqual([["task a"], ["wish b"], ["task a"], ["wish b"]]);
    expect(state.listeners).toBe(1);
    state.tell!(undefined);
    state.tell!(undefined);
    state.tell!(undefined);
    await turns(5);
    expect(marks.splice(0)).toEqual([["task a"], ["wish b"], ["task a"], ["wish b"]]);
    state.fails = true;
    state.tell!(undefined);
    await turns(5);
    marks.length = 0;
    await clock.advance(999);
    expect(marks).toEqual([]);
    state.fails = false;
    await clock.advance(1);
    await turns(5);
    expect([marks.length, told, clock.pending]).toEqual([2, [], 1]);
  });

  it("are looked at again when the first of them ends, and after an hour at the latest", async () => {
    const { tickets, marks, clock } = open();
    await tickets.add(ticket("a", { version: 1, endsAt: now + 7_200_000 }));
    tickets.watch("task", "a", 1, () => undefined);
    await turns(5);
    marks.length = 0;
    await clock.advance(3_599_999);
    expect(marks).toEqual([]);
    await clock.advance(1);
    expect(marks).toHaveLength(1);
  });

  it("are not watched any more once the store is closed", async () => {
    const { tickets, store, marks, clock } = open();
    tickets.watch("task", "a", 0, () => undefined);
    await turns(5);
    await store.close();
    marks.length = 0;
    tickets.watch("task", "b", 0, () => undefined);
    await clock.advance(3_600_000);
    await turns(5);
    expect([marks, clock.pending]).toEqual([[], 0]);
  });

  it("are followed by those who want them: one that changed, or all that are open", async () => {
    const { tickets, state, store } = open();
    const seen: string[] = [];
    const errors: unknown[] = [];
    const stop = tickets.follow("wish", {
      isWanted: (name) => name !== "other",
      onTicket: ({ name }) => void seen.push(name),
      onError: (error) => void errors.push(error),
    });
    for (const name of ["a", "other"]) await tickets.add(ticket(name, { kind: "wish", isOpen: true }));
    await tickets.add(ticket("closed", { kind: "wish", isOpen: false }));
    await tickets.add(ticket("t"));
    await turns(5);
    expect(seen.splice(0)).toEqual(["a", "closed"]);
    state.tell!({ owner: "another", kind: "wish", name: "a" });
    state.tell!({ owner: "local", kind: "wish", name: "gone" });
    await turns(5);
    expect(seen).toEqual([]);
    state.tell!(undefined);
    await turns(5);
    expect([seen, errors]).toEqual([["a"], []]);
    stop();
    expect(state.listeners).toBe(0);
    void store;
  });
});
