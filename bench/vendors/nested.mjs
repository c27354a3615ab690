/** Thirty properties on three levels, with the constraints that tools commonly have. */
const address = () => ({
  type: "object",
  description: "Where it goes.",
  properties: {
    street: { type: "string", minLength: 1, maxLength: 200 },
    city: { type: "string" },
    country: { type: "string", enum: ["DE", "FR", "US"] },
    zip: { type: "string", pattern: "^[0-9]{5}$" },
    position: {
      type: "object",
      properties: { lat: { type: "number", minimum: -90, maximum: 90 }, lon: { type: "number" } },
      required: ["lat", "lon"],
    },
  },
  required: ["street", "city"],
});

export const nestedSchema = {
  type: "object",
  properties: {
    id: { type: "string", format: "uuid", description: "The order." },
    priority: { type: "integer", minimum: 1, maximum: 5, default: 3 },
    express: { type: "boolean" },
    note: { type: ["string", "null"], description: "A note for the driver." },
    shipping: address(),
    billing: address(),
    items: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        properties: {
          sku: { type: "string" },
          count: { type: "integer", minimum: 1 },
          price: { type: "number", minimum: 0 },
          tags: { type: "array", items: { type: "string" } },
          gift: { type: "boolean" },
        },
        required: ["sku", "count"],
      },
    },
    contact: {
      type: "object",
      properties: { name: { type: "string" }, email: { type: "string", format: "email" }, phone: { type: "string" } },
      required: ["name"],
    },
  },
  required: ["id", "items"],
};
