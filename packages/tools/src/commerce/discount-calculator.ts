import { defineTool, type ToolDefinition } from "@toolrack/core";
import { calculateDiscount } from "./discounts.ts";
import { itemsSchema, readItems } from "./items.ts";
import { formatMoney } from "./money.ts";
import type { CommerceOperations } from "./operations.ts";

export function createDiscountCalculator(operations: CommerceOperations): ToolDefinition {
  return defineTool({
    name: "discount_calculator",
    title: "Calculate a discount",
    description:
      "Works out the discount on a set of products by the rules of the shop, with an optional code. Only the rules and their limits decide.",
    inputSchema: {
      type: "object",
      properties: {
        items: itemsSchema,
        code: { type: "string", minLength: 1, maxLength: 100, description: "A code that the customer has." },
      },
      required: ["items"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        currency: { type: "string" },
        subtotal_minor: { type: "integer", description: "Without the discount, in minor units." },
        discount_minor: { type: "integer" },
        total_minor: { type: "integer", description: "The total amount to pay, in minor units." },
        total: { type: "string", description: "The same for people: EUR 79.90." },
        applied: {
          type: "array",
          items: {
            type: "object",
            properties: {
              rule: { type: "string" },
              description: { type: "string" },
              amount_minor: { type: "integer" },
              capped: { type: "boolean", description: "Whether the limit of the rule took something away." },
            },
            required: ["rule", "description", "amount_minor", "capped"],
          },
        },
        capped: { type: "boolean", description: "Whether the limit of the shop on all discounts took something away." },
        code_problem: { type: "string", description: "The reason why the discount code was not applied." },
      },
      required: ["currency", "subtotal_minor", "discount_minor", "total_minor", "total", "applied", "capped"],
    },
    metadata: {
      category: "commerce",
      optionality: "optional",
      usageHint: "Before naming a reduced price. Never promise a discount that it did not give.",
      examples: [
        {
          description: "A code on one product",
          input: { items: [{ product_id: "prd-0001" }], code: "WELCOME10" },
          usage: "result.total_minor",
        },
        {
          description: "Three of one product",
          input: { items: [{ product_id: "prd-0001", quantity: 3 }] },
          usage: "result.discount_minor",
        },
      ],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 10_000, maxResultBytes: 65_536 },
      groups: ["commerce"],
      tags: ["shop"],
    },
    async handler({ items: lines, code }, context) {
      const session = await operations.session(context);
      const items = await readItems(session, lines);
      const { subtotal, discount, applied, isCapped, codeProblem } = await calculateDiscount(session, items, code, operations.now());
      const { currency } = items[0]!.product;
      return {
        currency,
        subtotal_minor: subtotal,
        discount_minor: discount,
        total_minor: subtotal - discount,
        total: formatMoney(subtotal - discount, currency),
        applied: applied.map(({ rule, amount, isCapped: capped }) => ({
          rule: rule.id,
          description: rule.description,
          amount_minor: amount,
          capped,
        })),
        capped: isCapped,
        ...(codeProblem !== undefined && { code_problem: codeProblem }),
      };
    },
  });
}
