import { inputSchema, valid } from "../call/setting.mjs";

/** Six fields and a nested list, without a pattern: what the speed is measured on. */
export const schema = inputSchema;
export { valid };

/** A number out of range, a wrong choice, and a required property missing in the list. */
export const invalid = { query: "shoes", limit: 500, sort: "up", active: true, price: 3.5, tags: [{ key: "a", value: "b" }, {}] };

let copies = 0;

/** The same schema, but no two alike, so that nothing made for one of them helps with another. */
export function freshSchema() {
  return { ...schema, description: `Copy ${++copies}` };
}
