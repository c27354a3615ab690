import type { TicketReads, TicketRow, TicketWrites } from "../../engine/tickets.ts";
import { type MemoryTables, noteKey } from "./tables.ts";

export function createTicketReads(current: () => MemoryTables): TicketReads {
  const own = (owner: string, kind: TicketRow["kind"]): TicketRow[] =>
    [...current().tickets.values()].filter((row) => row.owner === owner && row.kind === kind);
  return {
    ticket: async (owner, kind, name) => current().tickets.get(noteKey({ owner, kind, name })),
    async tickets(owner, kind, { isOpen, holder, endsAfter = Number.NEGATIVE_INFINITY }, limit) {
      const found = own(owner, kind).filter(
        (row) => (isOpen ?? row.isOpen) === row.isOpen && (holder ?? row.holder) === row.holder && row.endsAt > Math.floor(endsAfter),
      );
      return found.sort(byAge).slice(0, limit);
    },
    async ticketMarks(owner, kind, names) {
      const rows = [...new Set(names)].flatMap((name) => current().tickets.get(noteKey({ owner, kind, name })) ?? []);
      return rows.map(({ name, version, endsAt }) => ({ name, version, endsAt }));
    },
    async ticketHolders(owner, kind, now) {
      const held = own(owner, kind).filter(({ isOpen, holder, endsAt }) => isOpen && holder !== "" && endsAt > Math.floor(now));
      return [...new Set(held.map(({ holder }) => holder))].sort();
    },
  };
}

export function createTicketWrites(current: () => MemoryTables): TicketWrites {
  const whole = (row: TicketRow): TicketRow => ({ ...row, createdAt: Math.floor(row.createdAt), endsAt: Math.floor(row.endsAt) });
  return {
    async addTicket(row, { most, now }) {
      const { tickets, changedTickets } = current();
      const there = tickets.get(noteKey(row));
      if (there !== undefined && there.endsAt > Math.floor(now)) return "taken";
      const { owner, kind, group } = row;
      const others = [...tickets.values()].filter(
        (other) => other.owner === owner && other.kind === kind && other.group === group && other.endsAt > Math.floor(now),
      );
      const surplus = others.length - most + 1;
      const oldest =
        surplus <= 0
          ? []
          : others
              .filter(({ isOpen }) => !isOpen)
              .sort(byAge)
              .slice(0, surplus);
      if (oldest.length < surplus) return "full";
      for (const old of oldest) tickets.put(noteKey(old), undefined);
      tickets.put(noteKey(row), whole(row));
      changedTickets.push({ owner, kind, name: row.name });
      return "added";
    },
    async replaceTicket(row, version) {
      const { tickets, changedTickets } = current();
      if (tickets.get(noteKey(row))?.version !== version) return false;
      tickets.put(noteKey(row), whole(row));
      changedTickets.push({ owner: row.owner, kind: row.kind, name: row.name });
      return true;
    },
    async removeTicket({ owner, kind, name }) {
      const { tickets, changedTickets } = current();
      const key = noteKey({ owner, kind, name });
      if (tickets.get(key) === undefined) return false;
      tickets.put(key, undefined);
      changedTickets.push({ owner, kind, name });
      return true;
    },
    async addTickets(rows) {
      for (const row of rows) current().tickets.put(noteKey(row), whole(row));
    },
    async trimTickets(owner, kind, endedBefore, limit) {
      const { tickets } = current();
      const old = [...tickets.values()].filter((row) => row.owner === owner && row.kind === kind && row.endsAt <= Math.floor(endedBefore));
      const first = old.sort((a, b) => a.endsAt - b.endsAt || (a.name < b.name ? -1 : 1)).slice(0, limit);
      for (const row of first) tickets.put(noteKey(row), undefined);
      return first.length;
    },
  };
}

function byAge(a: TicketRow, b: TicketRow): number {
  return a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1);
}
