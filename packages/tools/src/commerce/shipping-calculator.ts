import { defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { sql, type SqlRow, toInteger, toText } from "../operations/sql.ts";
import { type Item, itemsSchema, readItems, subtotalOf } from "./items.ts";
import { formatMoney } from "./money.ts";
import type { CommerceOperations } from "./operations.ts";

export function createShippingCalculator(operations: CommerceOperations): ToolDefinition {
  return defineTool({
    name: "shipping_calculator",
    title: "Calculate shipping",
    description: "Works out what it costs to ship products to a country, and how long it takes, for each way that the shop offers.",
    inputSchema: {
      type: "object",
      properties: {
        items: itemsSchema,
        country: { type: "string", pattern: "^[A-Za-z]{2}$", description: "Where to, as a country code of two letters: DE." },
      },
      required: ["items", "country"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        country: { type: "string" },
        weight_grams: { type: "integer" },
        options: {
          type: "array",
          description: "The cheapest first.",
          items: {
            type: "object",
            properties: {
              id: { type: "string" },
              name: { type: "string" },
              price_minor: { type: "integer", description: "In minor units; 0 is free." },
              currency: { type: "string" },
              price: { type: "string" },
              min_days: { type: "integer" },
              max_days: { type: "integer" },
            },
            required: ["id", "name", "price_minor", "currency", "price", "min_days", "max_days"],
          },
        },
      },
      required: ["country", "weight_grams", "options"],
    },
    metadata: {
      category: "commerce",
      optionality: "optional",
      usageHint: "When the customer asks what delivery costs or how long it takes.",
      examples: [
        {
          description: "One product to Germany",
          input: { items: [{ product_id: "prd-0001" }], country: "DE" },
          usage: "result.options[0].price_minor",
        },
      ],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 10_000, maxResultBytes: 65_536 },
      groups: ["commerce"],
      tags: ["shop"],
    },
    async handler({ items: lines, country: asked }, context) {
      const session = await operations.session(context);
      const items = await readItems(session, lines);
      const country = asked.toUpperCase();
      const rows = await session.query(
        sql`select * from shop_shipping_rates where organisation = ${session.organisation} and country in (${country}, '*') order by id`,
      );
      const own = rows.filter((row) => row["country"] === country);
      const rates = own.length > 0 ? own : rows;
      if (rates.length === 0) throw new ToolInputError(`This shop does not ship to ${country}.`);
      const weight = items.reduce((sum, { product, quantity }) => sum + product.weightGrams * quantity, 0);
      const options = rates.filter((rate) => toInteger(rate["max_grams"]) >= weight).map((rate) => optionOf(rate, items, weight));
      if (options.length === 0)
        throw new ToolInputError(`${weight} g are too heavy for every way to ${country}. Ask for fewer products at once.`);
      options.sort((a, b) => a.price_minor - b.price_minor || (a.id < b.id ? -1 : 1));
      return { country, weight_grams: weight, options };
    },
  });
}

interface ShippingOption {
  readonly id: string;
  readonly name: string;
  readonly price_minor: number;
  readonly currency: string;
  readonly price: string;
  readonly min_days: number;
  readonly max_days: number;
}

/** Every kilogram that was begun counts. */
function optionOf(rate: SqlRow, items: readonly Item[], weight: number): ShippingOption {
  const { currency } = items[0]!.product;
  const isFree = rate["free_from_minor"] !== null && subtotalOf(items) >= toInteger(rate["free_from_minor"]);
  const price = isFree ? 0 : toInteger(rate["base_minor"]) + Math.ceil(weight / 1_000) * toInteger(rate["per_kg_minor"]);
  return {
    id: toText(rate["id"]),
    name: toText(rate["name"]),
    price_minor: price,
    currency,
    price: formatMoney(price, currency),
    min_days: toInteger(rate["min_days"]),
    max_days: toInteger(rate["max_days"]),
  };
}
