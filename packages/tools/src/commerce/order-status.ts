import { defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { sql, toInteger, toText } from "../operations/sql.ts";
import { formatMoney } from "./money.ts";
import type { CommerceOperations } from "./operations.ts";
import { isText, storable } from "./products.ts";

export function createOrderStatus(operations: CommerceOperations): ToolDefinition {
  return defineTool({
    name: "order_status",
    title: "Follow an order",
    description:
      "Tells how far an order is: its state, its products, who carries it and when it is expected. Needs the order's number and the customer's address.",
    inputSchema: {
      type: "object",
      properties: {
        order_id: { type: "string", minLength: 1, maxLength: 100, description: "The number of the order." },
        customer_email: { type: "string", minLength: 3, maxLength: 320, description: "The e-mail address that the order was made with." },
      },
      required: ["order_id", "customer_email"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        order_id: { type: "string" },
        status: { type: "string", description: "placed, paid, packed, shipped, delivered, cancelled or returned" },
        placed_at: { type: "string" },
        currency: { type: "string" },
        total_minor: { type: "integer", description: "In minor units." },
        total: { type: "string" },
        items: {
          type: "array",
          items: {
            type: "object",
            properties: {
              product_id: { type: "string" },
              name: { type: "string" },
              quantity: { type: "integer" },
              price_minor: { type: "integer", description: "Of one piece." },
            },
            required: ["product_id", "name", "quantity", "price_minor"],
          },
        },
        carrier: { type: "string" },
        tracking_number: { type: "string" },
        expected_at: { type: "string" },
      },
      required: ["order_id", "status", "placed_at", "currency", "total_minor", "total", "items"],
    },
    metadata: {
      category: "commerce",
      optionality: "optional",
      usageHint: "When a customer asks where an order is. Ask for the e-mail address first; the order is shown only for the right one.",
      examples: [
        { description: "An order on its way", input: { order_id: "ord-1001", customer_email: "ada@example.com" }, usage: "result.status" },
      ],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 10_000, maxResultBytes: 65_536 },
      groups: ["commerce"],
      tags: ["shop"],
    },
    async handler({ order_id, customer_email }, context) {
      const session = await operations.session(context);
      const { organisation } = session;
      const [order] = await session.query(
        sql`select * from shop_orders where organisation = ${organisation} and id = ${storable(order_id)} and (${isText(sql`customer_email`, customer_email.trim())})`,
      );
      // One answer for a wrong number and for a wrong address: a stranger learns nothing about which orders exist.
      if (order === undefined) throw new ToolInputError("No order of this shop has that number and that e-mail address. Check both.");
      const items = await session.query(
        sql`select product_id, name, quantity, price_minor from shop_order_items where organisation = ${organisation} and order_id = ${toText(order["id"])} order by product_id`,
      );
      const currency = toText(order["currency"]);
      const total = toInteger(order["total_minor"]);
      return {
        order_id: toText(order["id"]),
        status: toText(order["status"]),
        placed_at: isoTime(order["placed_at"]),
        currency,
        total_minor: total,
        total: formatMoney(total, currency),
        items: items.map((item) => ({
          product_id: toText(item["product_id"]),
          name: toText(item["name"]),
          quantity: toInteger(item["quantity"]),
          price_minor: toInteger(item["price_minor"]),
        })),
        ...(order["carrier"] !== null && { carrier: toText(order["carrier"]) }),
        ...(order["tracking_number"] !== null && { tracking_number: toText(order["tracking_number"]) }),
        ...(order["expected_at"] !== null && { expected_at: isoTime(order["expected_at"]) }),
      };
    },
  });
}

function isoTime(value: unknown): string {
  return new Date(toInteger(value)).toISOString();
}
