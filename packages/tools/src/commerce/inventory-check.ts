import { defineTool, type ToolDefinition } from "@toolrack/core";
import { sql, toInteger, toText } from "../operations/sql.ts";
import type { CommerceOperations } from "./operations.ts";
import { findProduct, productIdSchema, storable } from "./products.ts";

export function createInventoryCheck(operations: CommerceOperations): ToolDefinition {
  return defineTool({
    name: "inventory_check",
    title: "Check the stock",
    description: "Tells how many pieces of a product can be sold now, in all and at each place. What others have reserved does not count.",
    inputSchema: {
      type: "object",
      properties: {
        product_id: productIdSchema,
        quantity: { type: "integer", minimum: 1, maximum: 1_000_000, default: 1, description: "How many pieces are wanted." },
        location: { type: "string", minLength: 1, maxLength: 100, description: "Only the stock at this place." },
      },
      required: ["product_id"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        product_id: { type: "string" },
        available: { type: "integer" },
        enough: { type: "boolean", description: "Whether the wanted quantity is there." },
        locations: {
          type: "array",
          items: {
            type: "object",
            properties: { location: { type: "string" }, available: { type: "integer" } },
            required: ["location", "available"],
          },
        },
      },
      required: ["product_id", "available", "enough", "locations"],
    },
    metadata: {
      category: "commerce",
      optionality: "optional",
      usageHint: "Before promising that a product can be delivered.",
      examples: [{ description: "Are two pieces there?", input: { product_id: "prd-0001", quantity: 2 }, usage: "result.enough" }],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 10_000, maxResultBytes: 65_536 },
      groups: ["commerce"],
      tags: ["shop"],
    },
    async handler({ product_id, quantity, location }, context) {
      const session = await operations.session(context);
      const { id } = await findProduct(session, product_id);
      const rows = await session.query(
        sql`select location, quantity, reserved from shop_stock where organisation = ${session.organisation} and product_id = ${id} order by location`,
      );
      const wanted = location === undefined ? undefined : storable(location).toLowerCase();
      const locations = rows
        .map((row) => ({
          location: toText(row["location"]),
          available: Math.max(0, toInteger(row["quantity"]) - toInteger(row["reserved"])),
        }))
        .filter((place) => wanted === undefined || place.location.toLowerCase() === wanted);
      const available = locations.reduce((sum, place) => sum + place.available, 0);
      return { product_id: id, available, enough: available >= quantity, locations };
    },
  });
}
