/**
 * A row by which the servers of one store work together on something for a while: a task of an MCP client, or what a server wants of a call that
 * another server runs. It is no record and has no revisions.
 */
export interface TicketRow extends TicketName {
  /** 1 for a new one. Each change counts up. */
  readonly version: number;
  /** Whose it is, for limits. */
  readonly group: string;
  /** The server that works on it; "" for none. */
  readonly holder: string;
  /** Whether something is still to be done. */
  readonly isOpen: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When it expires. Milliseconds since 1970. */
  readonly endsAt: number;
  /** JSON. */
  readonly body: string;
}

export interface TicketName {
  readonly owner: string;
  readonly kind: "task" | "wish";
  readonly name: string;
}

export type TicketMark = Pick<TicketRow, "name" | "version" | "endsAt">;

export interface TicketFilter {
  readonly isOpen?: boolean;
  readonly holder?: string;
  /** Only those that expire after this time. Milliseconds since 1970. */
  readonly endsAfter?: number;
}

/** Expired tickets are included until `trimTickets` removes them, unless it says otherwise. */
export interface TicketReads {
  ticket(owner: string, kind: TicketRow["kind"], name: string): Promise<TicketRow | undefined>;
  /** In the order of their creation, then of their names. */
  tickets(owner: string, kind: TicketRow["kind"], filter: TicketFilter, limit: number): Promise<readonly TicketRow[]>;
  /** The marks of those of these names that exist, in any order. */
  ticketMarks(owner: string, kind: TicketRow["kind"], names: readonly string[]): Promise<readonly TicketMark[]>;
  /** The holders of open tickets that expire after `now`, each once, in the order of their names. */
  ticketHolders(owner: string, kind: TicketRow["kind"], now: number): Promise<readonly string[]>;
}

export interface TicketLimit {
  /** How many tickets of a group there may be, those that expired by `now` not counted. */
  readonly most: number;
  readonly now: number;
}

/** What changes one ticket, and tells those who wait for it (`onTicket`). */
export interface TicketChanges {
  /**
   * Adds it, unless there is one of its name that did not expire by then ("taken"). Where its group has as many as it may, the oldest ones of the group that are not open
   * make room; where that is not enough, nothing is added ("full").
   */
  addTicket(row: TicketRow, limit: TicketLimit): Promise<"added" | "taken" | "full">;
  /** Replaces the ticket of this name while it has this version. Returns whether it did. */
  replaceTicket(row: TicketRow, version: number): Promise<boolean>;
  /** Returns whether it was there. */
  removeTicket(ticket: TicketName): Promise<boolean>;
}

export interface TicketWrites extends TicketChanges {
  /** Rows of another store as they are. Nobody is told. */
  addTickets(rows: readonly TicketRow[]): Promise<void>;
  /** Removes up to `limit` of those that expired at this time or before. Returns how many. Nobody is told: an expired ticket counts as gone. */
  trimTickets(owner: string, kind: TicketRow["kind"], endedBefore: number, limit: number): Promise<number>;
}
