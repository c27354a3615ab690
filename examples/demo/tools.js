/** Tools of one's own: plain data and a handler. The configuration names this file under tools.modules. */
export default [
  {
    name: "delivery_day",
    description: "Tells on which day a parcel arrives that is sent today. No parcel arrives at a weekend.",
    inputSchema: {
      type: "object",
      properties: { days: { type: "integer", minimum: 1, maximum: 30, description: "How many days it is on its way." } },
      required: ["days"],
      additionalProperties: false,
    },
    metadata: {
      category: "commerce",
      usageHint: "Ask shipping_calculator first how many days a parcel takes.",
      examples: [{ description: "Three days on its way", input: { days: 3 } }],
      annotations: { readOnly: true },
    },
    handler({ days }) {
      const day = new Date(Date.now() + days * 86_400_000);
      while (day.getUTCDay() % 6 === 0) day.setUTCDate(day.getUTCDate() + 1);
      return { arrives: day.toISOString().slice(0, 10) };
    },
  },
];
