import { requireRole } from "../access.ts";
import type { TicketChanges, TicketFilter, TicketRow } from "../engine/tickets.ts";
import { StoreError } from "../errors.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { createTicketWatch } from "./_watch.ts";

/** Something that the servers of a store work on together, until it expires. */
export type Ticket = Omit<TicketRow, "owner">;

export interface TicketFollower {
  /** Whether this name is of interest: others are not read. */
  isWanted(name: string): boolean;
  /** Called for each wanted ticket that was added or changed, and again now and then. */
  onTicket(ticket: Ticket): void;
  onError(error: unknown): void;
}

/**
 * Tickets of the owner of a store, shared by every server on it. A change costs one round trip, takes no turn among the records, and is told to
 * those who wait for it on every server. One that has expired is not there any more.
 */
export interface Tickets {
  /** "taken": there is one of this kind and name. "full": its group has `most` that are open; finished ones make room. */
  add(ticket: Ticket, most?: number): Promise<"added" | "taken" | "full">;
  get(kind: Ticket["kind"], name: string): Promise<Ticket | undefined>;
  /** In the order of their creation. */
  list(kind: Ticket["kind"], filter?: Omit<TicketFilter, "endsAfter">): Promise<readonly Ticket[]>;
  /** The servers that hold open tickets. */
  holders(kind: Ticket["kind"]): Promise<readonly string[]>;
  /** Replaces the one that has the version before this one; false where it was changed since, or is gone. */
  replace(ticket: Ticket): Promise<boolean>;
  remove(kind: Ticket["kind"], name: string): Promise<boolean>;
  /**
   * Calls the listener when the ticket has another version than `known`, is removed or expires, and perhaps more often. Returns the function that
   * stops it.
   */
  watch(kind: Ticket["kind"], name: string, known: number, listener: () => void): () => void;
  /** Tells of tickets of a kind from now on. Returns the function that stops it. */
  follow(kind: Ticket["kind"], follower: TicketFollower): () => void;
}

export interface TicketsOptions {
  /** A longer body, in bytes, is refused. @default 4_194_304 */
  readonly maxBodyBytes?: number;
}

export function createTickets(store: BreadcrumbStore, { maxBodyBytes = 4_194_304 }: TicketsOptions = {}): Tickets {
  const { engine, clock, closed } = insideOf(store);
  const { owner } = store.actor;
  const require = (): void => requireRole(store.actor, "emitter", "use tickets");
  const isThere = (row: TicketRow | undefined): row is TicketRow => row !== undefined && row.endsAt > clock.now();
  const changes: TicketChanges = engine.ticketChanges ?? {
    addTicket: (row, limit) => engine.writeAudit((tx) => tx.addTicket(row, limit)),
    replaceTicket: (row, version) => engine.writeAudit((tx) => tx.replaceTicket(row, version)),
    removeTicket: (ticket) => engine.writeAudit((tx) => tx.removeTicket(ticket)),
  };
  const watch = createTicketWatch(engine, owner, clock, closed);

  async function get(kind: Ticket["kind"], name: string): Promise<Ticket | undefined> {
    require();
    const row = isName(name) ? await engine.ticket(owner, kind, name) : undefined;
    return isThere(row) ? toTicket(row) : undefined;
  }

  async function list(kind: Ticket["kind"], filter: Omit<TicketFilter, "endsAfter"> = {}): Promise<readonly Ticket[]> {
    require();
    return (await engine.tickets(owner, kind, { ...filter, endsAfter: clock.now() }, listed)).map(toTicket);
  }

  function toRow(ticket: Ticket): TicketRow {
    require();
    if (!isName(ticket.name))
      throw new StoreError("QUERY_INVALID", `The name of a ${ticket.kind} must be 1 to 256 printable ASCII characters.`);
    const bytes = Buffer.byteLength(ticket.body);
    if (bytes <= maxBodyBytes) return { ...ticket, owner };
    throw new StoreError(
      "RECORD_TOO_LARGE",
      `The ${ticket.kind} has ${bytes} bytes, and the limit is ${maxBodyBytes}. Nothing was written; keep less in it.`,
    );
  }

  return {
    add: async (ticket, most = Number.MAX_SAFE_INTEGER) => changes.addTicket(toRow(ticket), { most, now: clock.now() }),
    get,
    list,
    async holders(kind) {
      require();
      return engine.ticketHolders(owner, kind, clock.now());
    },
    replace: async (ticket) => changes.replaceTicket(toRow(ticket), ticket.version - 1),
    async remove(kind, name) {
      require();
      return isName(name) && changes.removeTicket({ owner, kind, name });
    },
    watch(kind, name, known, listener) {
      require();
      return watch(kind, name, known, listener);
    },
    follow(kind, { isWanted, onTicket, onError }) {
      require();
      const look = async (name: string | undefined): Promise<void> => {
        const found = name === undefined ? await list(kind, { isOpen: true }) : [await get(kind, name)];
        for (const ticket of found) if (ticket !== undefined && isWanted(ticket.name)) onTicket(ticket);
      };
      return engine.onTicket((ticket) => {
        if (ticket !== undefined && (ticket.owner !== owner || ticket.kind !== kind || !isWanted(ticket.name))) return;
        look(ticket?.name).catch(onError);
      });
    },
  };
}

/** As many as one look takes; what is left over is found once these are gone. */
const listed = 1_000;

/** Any other is the name of no ticket. */
function isName(name: string): boolean {
  return /^[\x21-\x7e]{1,256}$/.test(name);
}

function toTicket({ owner: _owner, ...ticket }: TicketRow): Ticket {
  return ticket;
}
