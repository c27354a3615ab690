/** Six fields and a nested list: the call that every subject makes. */
export const inputSchema = {
  type: "object",
  properties: {
    query: { type: "string", minLength: 1 },
    limit: { type: "integer", minimum: 1, maximum: 100 },
    sort: { enum: ["asc", "desc"] },
    active: { type: "boolean" },
    price: { type: "number" },
    tags: {
      type: "array",
      items: {
        type: "object",
        properties: { key: { type: "string" }, value: { type: "string" } },
        required: ["key"],
        additionalProperties: false,
      },
    },
  },
  required: ["query", "tags"],
  additionalProperties: false,
};

export const valid = { query: "shoes", limit: 5, sort: "asc", active: true, price: 3.5, tags: [{ key: "a", value: "b" }, { key: "c" }] };

/** Two faults: a number out of range, and a required property missing in the list. */
export const invalid = { query: "shoes", limit: 500, sort: "asc", active: true, price: 3.5, tags: [{ key: "a", value: "b" }, {}] };

export const inputOf = ({ input }) => (input === "valid" ? valid : invalid);

/** The same schema in Zod, for the peers that take nothing else. */
export async function zodSchema() {
  const { z } = await import("zod");
  return z.strictObject({
    query: z.string().min(1),
    limit: z.number().int().min(1).max(100).optional(),
    sort: z.enum(["asc", "desc"]).optional(),
    active: z.boolean().optional(),
    price: z.number().optional(),
    tags: z.array(z.strictObject({ key: z.string(), value: z.string().optional() })),
  });
}

export const handler = async () => "ok";
