import { type CallContext, defineTool, type HandlerResult, type ToolDefinition, ToolError, ToolInputError } from "@toolrack/core";
import type { SqlSession } from "../operations/sql.ts";
import { type CheckoutRequest, type CheckoutSession, createCheckout } from "./checkout.ts";
import { calculateDiscount } from "./discounts.ts";
import { formatMoney } from "./money.ts";
import type { CommerceOperations } from "./operations.ts";
import { dropLink, saveLink, type PaymentLink, requestKey, reserveLink } from "./payment-links.ts";
import { findProduct, type Product, productIdSchema } from "./products.ts";

export function createPaymentLink(operations: CommerceOperations, { secret }: { readonly secret: string }): ToolDefinition {
  return defineTool({
    name: "payment_link",
    title: "Make a payment link",
    description:
      "Creates a payment link for a product. The price comes from the catalog. Repeated requests for the same purchase return the same link while it is valid.",
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
        amount_minor: { type: "integer", description: "The amount to pay, in minor units." },
        currency: { type: "string" },
        amount: { type: "string", description: "The same for people: EUR 79.90." },
        expires_in_seconds: { type: "integer", description: "How long the link is valid, in seconds." },
      },
      required: ["checkout_url", "product_id", "quantity", "amount_minor", "currency", "amount", "expires_in_seconds"],
    },
    metadata: {
      category: "commerce",
      optionality: "optional",
      usageHint: "For a customer who wants to buy. Pass the link on unchanged.",
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
          baseUrl: { type: "string", description: "A service with the same API as Stripe's.", "x-toolrack-admin": true },
          expirySeconds: { type: "integer", minimum: 60, maximum: 86_400, default: 900, description: "How long a link holds." },
        },
        required: ["successUrl"],
        additionalProperties: false,
      },
    },
    async handler(input, context) {
      const settings = readSettings(context.config);
      const key = await context.secret(secret);
      const session = await operations.session(context);
      const purchase = await readPurchase(session, input, operations.now());
      const { product, quantity, amount } = purchase;
      const request = requestKey([session.organisation, product.id, quantity, amount, product.currency, ...buyerOf(input, context)]);
      const link = await reserveLink(session, request, operations.now(), settings.expirySeconds * 1_000);
      const service = {
        name: "The payment service",
        defaultUrl: "https://api.stripe.com",
        baseUrl: settings.baseUrl,
        http: operations.http,
        signal: context.signal,
      };
      const checkout = toCheckout(purchase, input, settings, session.organisation, link);
      const { url, expiresAt } = await openLink(session, request, link, () => createCheckout(service, key, checkout));
      const data = {
        checkout_url: url,
        product_id: product.id,
        quantity,
        amount_minor: amount,
        currency: product.currency,
        amount: formatMoney(amount, product.currency),
        expires_in_seconds: Math.max(0, Math.floor((expiresAt - operations.now()) / 1_000)),
      };
      const made: HandlerResult<typeof data> = { ok: true, content: JSON.stringify(data), data };
      return link.url === undefined ? { ...made, effects: [{ kind: "payment-link", action: "create", target: url }] } : made;
    },
  });
}

interface Input {
  readonly product_id: string;
  readonly quantity: number;
  readonly customer_email?: string;
  readonly discount_code?: string;
  readonly reference?: string;
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

interface Purchase {
  readonly product: Product;
  readonly quantity: number;
  /** What is to be paid for all of it. */
  readonly amount: number;
  readonly isReduced: boolean;
}

async function readPurchase(session: SqlSession, { product_id, quantity, discount_code }: Input, now: number): Promise<Purchase> {
  const product = await findProduct(session, product_id);
  const { subtotal, discount, codeProblem } = await calculateDiscount(session, [{ product, quantity }], discount_code, now);
  if (codeProblem !== undefined)
    throw new ToolInputError(`The code "${discount_code}" cannot be used: ${codeProblem}. Ask again without it.`);
  return { product, quantity, amount: subtotal - discount, isReduced: discount > 0 };
}

/** Two customers never share a link: for customers that cannot be distinguished, each call is a separate purchase. */
function buyerOf({ customer_email = "", reference = "" }: Input, { caller, callId }: CallContext): readonly string[] {
  const { session = "", sender = "", channel = "" } = caller;
  const known = [customer_email, reference, session, sender];
  return [...known, channel, known.every((part) => part === "") ? callId : ""];
}

/** A discount need not divide by the quantity, so what is reduced is sold as one. */
function toCheckout(
  { product, quantity, amount, isReduced }: Purchase,
  { customer_email, reference }: Input,
  { successUrl, cancelUrl }: Settings,
  organisation: string,
  link: PaymentLink,
): CheckoutRequest {
  const { id, name, priceMinor, currency } = product;
  const lot = isReduced
    ? { name: quantity === 1 ? name : `${quantity} × ${name}`, quantity: 1, amountMinor: amount }
    : { name, quantity, amountMinor: priceMinor };
  return {
    ...lot,
    currency,
    expiresAtSeconds: Math.ceil(link.expiresAt / 1_000),
    successUrl,
    ...(cancelUrl !== undefined && { cancelUrl }),
    ...(customer_email !== undefined && { customerEmail: customer_email }),
    metadata: { product_id: id, organisation, ...(reference !== undefined && { reference }) },
    idempotencyKey: link.attempt,
  };
}

/** The existing link, or a new one of the payment service. After a retryable failure the attempt is saved, so that no second link is created. */
async function openLink(
  session: SqlSession,
  request: string,
  { url, expiresAt, attempt }: PaymentLink,
  make: () => Promise<CheckoutSession>,
): Promise<{ readonly url: string; readonly expiresAt: number }> {
  if (url !== undefined) return { url, expiresAt };
  try {
    const made = await make();
    await saveLink(session, request, attempt, made.url, made.expiresAtSeconds * 1_000);
    return { url: made.url, expiresAt: made.expiresAtSeconds * 1_000 };
  } catch (error) {
    if (ToolError.is(error) && error.code === "TOOL_FAILED" && !error.retryable) await dropLink(session, request, attempt);
    throw error;
  }
}
