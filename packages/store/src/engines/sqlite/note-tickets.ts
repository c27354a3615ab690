import type { Writes } from "../../engine/engine.ts";
import type { TicketName } from "../../engine/tickets.ts";

/** Notes which tickets a transaction changes, so that those who wait in this process are told their names. */
export function noteTickets(tx: Writes): { readonly tx: Writes; takeChanged(): readonly TicketName[] } {
  let changed: TicketName[] = [];
  const note = ({ owner, kind, name }: TicketName, isChanged: boolean): void => {
    if (isChanged) changed.push({ owner, kind, name });
  };
  return {
    tx: {
      ...tx,
      async addTicket(row, limit) {
        const outcome = await tx.addTicket(row, limit);
        note(row, outcome === "added");
        return outcome;
      },
      async replaceTicket(row, version) {
        const isReplaced = await tx.replaceTicket(row, version);
        note(row, isReplaced);
        return isReplaced;
      },
      async removeTicket(ticket) {
        const isRemoved = await tx.removeTicket(ticket);
        note(ticket, isRemoved);
        return isRemoved;
      },
    },
    takeChanged() {
      const taken = changed;
      changed = [];
      return taken;
    },
  };
}
