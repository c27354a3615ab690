import type { TicketName, TicketRow } from "../../engine/tickets.ts";

/** The rows of tickets, or a draft of changes on top of them that `commit` applies. */
export interface TicketTables {
  get(key: string): TicketRow | undefined;
  all(): Iterable<TicketRow>;
  put(key: string, row: TicketRow | undefined): void;
  /** What a draft has to tell once it is committed. */
  readonly changed: TicketName[];
  commit(): void;
}

export function createTicketTables(base?: TicketTables): TicketTables {
  const rows = new Map<string, TicketRow | undefined>();
  return {
    changed: [],
    get: (key) => (rows.has(key) ? rows.get(key) : base?.get(key)),
    *all() {
      for (const row of base?.all() ?? []) if (!rows.has(ticketKey(row))) yield row;
      for (const row of rows.values()) if (row !== undefined) yield row;
    },
    put(key, row) {
      if (row === undefined && base === undefined) rows.delete(key);
      else rows.set(key, row);
    },
    commit() {
      for (const [key, row] of rows) base?.put(key, row);
    },
  };
}

export function ticketKey({ owner, kind, name }: TicketName): string {
  return `${owner} ${kind} ${name}`;
}
