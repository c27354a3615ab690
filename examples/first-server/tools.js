const tickets = [
  { id: 1, title: "The printer in room 12 is out of paper", open: true },
  { id: 2, title: "New keyboard for Dora", open: true },
];

export default [
  {
    name: "ticket_find",
    description: "Finds open tickets by words of their title.",
    inputSchema: { type: "object", properties: { words: { type: "string" } }, required: ["words"] },
    handler: ({ words }) => tickets.filter(({ open, title }) => open && title.toLowerCase().includes(words.toLowerCase())),
  },
  {
    name: "ticket_close",
    description: "Closes a ticket.",
    inputSchema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
    handler({ id }) {
      const ticket = tickets.find((one) => one.id === id);
      if (ticket === undefined) return { ok: false, error: `There is no ticket ${id}. Look for it with ticket_find.` };
      ticket.open = false;
      return `Ticket ${id} is closed.`;
    },
  },
];
