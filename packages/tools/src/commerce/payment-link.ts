import { type CallContext, defineTool, type HandlerResult, type ToolDefinition, ToolError, ToolInputError } from "@toolrack/core";
import type { SqlSession } from "../operations/sql.ts";
import { type CheckoutSession, createCheckout } from "./checkout.ts";
import { calculateDiscount } from "./discounts.ts";
import { formatMoney } from "./money.ts";
import type { CommerceOperations } from "./operations.ts";
import { dropLink, keepLink, requestKey, reserveLink } from "./payment-links.ts";
import { findProduct, productIdSchema } from "./products.ts";

export function createPaymentLink(operations: CommerceOperations, { secret }: { readonly secret: string }): ToolDefinition {
  return defineTool({
    name: "payment_link",
    title: "Make a payment link",
    description:
      "Makes a link under which a customer pays for a product. The price comes from the catalog. Asking again for the same purchase gives the same link while it holds.",
    inputSchema: {
      type: "object",
      properties: {
        product_id: productIdSchema,
        quantity: { type: "integer", minimum: 1, maximum: 1_000, default: 1, description: "How many pieces." },
        customer_email: {
          type: "string",
          maxLength: 320,
          pattern: "^[^@ \\t\\r\\n]+@[^@ \\t\\r\\n]+$",
          description: "Filled in for the customer on the payment page.",
        },
        discount_code: { type: "string", minLength: 1, maxLength: 100, description: "A code that the customer has." },
        reference: {
          type: "string",
          minLength: 1,
          maxLength: 200,
          description: "Your own number for the purchase, such as that of a cart.",
        },
      },
      required: ["product_id"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        checkout_url: { type: "string" },
        product_id: { type: "string" },
        quantity: { type: "integer" },
        amount_minor: { type: "integer", description: "What is to be paid, in minor units." },
        currency: { type: "string" },
        amount: { type: "string", description: "The same for people: EUR 79.90." },
        expires_in_seconds: { type: "integer", description: "How long the link holds from now on." },
      },
      required: ["checkout_url", "product_id", "quantity", "amount_minor", "currency", "amount", "expires_in_seconds"],
    },
    metadata: {
      category: "commerce",
      optionality: "optional",
      usageHint: "When the customer has decided to buy. Give the link on exactly as it is.",
      examples: [
        {
          description: "A link for one product",
          input: { product_id: "prd-0001", customer_email: "ada@example.com" },
          usage: "result.checkout_url",
        },
      ],
      annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
      limits: { timeoutMs: 30_000, maxResultBytes: 16_384 },
      groups: ["commerce"],
      tags: ["shop", "payment"],
      requiresCapabilities: ["network"],
      secrets: [secret],
      configSchema: {
        type: "object",
        properties: {
          successUrl: { type: "string", description: "Where the customer goes after paying." },
          cancelUrl: { type: "string", description: "Where the customer goes without paying." },
          baseUrl: { type: "string", description: "A service with the same API as Stripe's." },
          expirySeconds: { type: "integer", minimum: 60, maximum: 86_400, default: 900, description: "How long a link holds." },
        },
        required: ["successUrl"],
        additionalProperties: false,
      },
    },
    async handler({ product_id, quantity, customer_email, discount_code, reference }, context) {
      const settings = readSettings(context.config);
      const key = await context.secret(secret);
      const session = await operations.session(context);
      const product = await findProduct(session, product_id);
      const items = [{ product, quantity }];
      const { subtotal, discount, codeProblem } = await calculateDiscount(session, items, discount_code, operations.now());
      if (codeProblem !== undefined)
        throw new ToolInputError(`The code "${discount_code}" cannot be used: ${codeProblem}. Ask again without it.`);
      const amount = subtotal - discount;
      const { id, currency, name } = product;
      const request = requestKey([
        session.organisation,
        id,
        quantity,
        amount,
        currency,
        customer_email ?? "",
        reference ?? "",
        buyerOf(context, customer_email ?? reference),
      ]);
      const link = await reserveLink(session, request, operations.now(), settings.expirySeconds * 1_000);

      const makeLink = async (): Promise<CheckoutSession> => {
        const service = {
          name: "The payment service",
          defaultUrl: "https://api.stripe.com",
          baseUrl: settings.baseUrl,
          http: operations.http,
          signal: context.signal,
        };
        // A discount need not divide by the quantity, so what is reduced is sold as one.
        const lot =
          discount === 0
            ? { name, quantity, amountMinor: product.priceMinor }
            : { name: nameOfLot(name, quantity), quantity: 1, amountMinor: amount };
        const checkout = {
          ...lot,
          currency,
          expiresAtSeconds: Math.ceil(link.expiresAt / 1_000),
          successUrl: settings.successUrl,
          ...(settings.cancelUrl !== undefined && { cancelUrl: settings.cancelUrl }),
          ...(customer_email !== undefined && { customerEmail: customer_email }),
          metadata: { product_id: id, organisation: session.organisation, ...(reference !== undefined && { reference }) },
          idempotencyKey: link.attempt,
        };
        try {
          return await createCheckout(service, key, checkout);
        } catch (error) {
          // What may succeed later keeps its attempt, so that the retry cannot make a second link.
          if (ToolError.is(error) && error.code === "TOOL_FAILED" && !error.retryable) await dropLink(session, request, link.attempt);
          throw error;
        }
      };

      const { url, expiresAt } =
        link.url === undefined ? await makeAndKeep(session, request, link.attempt, makeLink) : { ...link, url: link.url };
      const data = {
        checkout_url: url,
        product_id: id,
        quantity,
        amount_minor: amount,
        currency,
        amount: formatMoney(amount, currency),
        expires_in_seconds: Math.max(0, Math.round((expiresAt - operations.now()) / 1_000)),
      };
      const made: HandlerResult = { ok: true, content: JSON.stringify(data), data };
      return link.url === undefined ? { ...made, effects: [{ kind: "payment-link", action: "create", target: url }] } : made;
    },
  });
}

async function makeAndKeep(
  session: SqlSession,
  request: string,
  attempt: string,
  make: () => Promise<CheckoutSession>,
): Promise<{ readonly url: string; readonly expiresAt: number }> {
  const { url, expiresAtSeconds } = await make();
  const expiresAt = expiresAtSeconds * 1_000;
  await keepLink(session, request, attempt, url, expiresAt);
  return { url, expiresAt };
}

interface Settings {
  readonly successUrl: string;
  readonly cancelUrl?: string;
  readonly baseUrl?: string;
  readonly expirySeconds: number;
}

function readSettings(config: unknown): Settings {
  const { successUrl, expirySeconds = 900, ...rest } = (config ?? {}) as Partial<Settings>;
  if (typeof successUrl !== "string")
    throw new ToolError(
      "NEEDS_CONFIGURATION",
      'The setting "successUrl" of "payment_link" is not set: where a customer goes after paying. Set it.',
    );
  return { ...rest, successUrl, expirySeconds };
}

/** Two customers never share a link: of those who cannot be told from others, each call is a purchase of its own. */
function buyerOf({ caller, callId }: CallContext, named: string | undefined): readonly string[] {
  const { session, sender, channel } = caller;
  if (session === undefined && sender === undefined && named === undefined) return [callId];
  return [session, sender, channel].map((part) => part ?? "");
}

function nameOfLot(name: string, quantity: number): string {
  return quantity === 1 ? name : `${quantity} × ${name}`;
}
