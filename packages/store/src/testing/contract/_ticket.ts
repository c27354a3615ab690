import type { Ticket } from "../../tickets/tickets.ts";

/** An open task that lasts longer than any check. */
export function newTicket(changes: Partial<Ticket> = {}): Ticket {
  const ticket: Ticket = {
    kind: "task",
    name: "one",
    version: 1,
    group: "ann",
    holder: "",
    isOpen: true,
    createdAt: 5,
    endsAt: 4_000_000_000_000,
    body: "1",
  };
  return { ...ticket, ...changes };
}
