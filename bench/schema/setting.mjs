/** Six fields and a nested list, without a pattern: what the speed is measured on. */
export const schema = {
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

/** A number out of range, a wrong choice, and a required property missing in the list. */
export const invalid = { query: "shoes", limit: 500, sort: "up", active: true, price: 3.5, tags: [{ key: "a", value: "b" }, {}] };

let copies = 0;

/** The same schema, but no two alike, so that nothing made for one of them helps with another. */
export function freshSchema() {
  return { ...schema, description: `Copy ${++copies}` };
}
