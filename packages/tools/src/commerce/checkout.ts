import { ToolError } from "@toolrack/core";
import { askService, type Service } from "../operations/service.ts";

/** What is to be paid, and where the customer goes afterwards. */
export interface CheckoutRequest {
  readonly name: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly quantity: number;
  readonly expiresAtSeconds: number;
  readonly successUrl: string;
  readonly cancelUrl?: string;
  readonly customerEmail?: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** The service answers the same for the same. */
  readonly idempotencyKey: string;
}

export interface CheckoutSession {
  readonly url: string;
  readonly expiresAtSeconds: number;
}

/**
 * Makes a Checkout Session. Where the service does not take an expiry so soon (Stripe's own wants half an hour), it is asked for one
 * half an hour later, and the answer says so.
 */
export async function createCheckout(service: Service, key: string, request: CheckoutRequest): Promise<CheckoutSession> {
  const first = await askFor(service, key, request);
  if (!isTooSoon(first)) return readSession(service, first);
  // Computed from the request, not from the current time: the same attempt must always send the same.
  const expiresAtSeconds = request.expiresAtSeconds + leastSeconds;
  const idempotencyKey = `${request.idempotencyKey}-later`;
  return readSession(service, await askFor(service, key, { ...request, expiresAtSeconds, idempotencyKey }));
}

const leastSeconds = 1_800;

type Answer = Awaited<ReturnType<typeof askService>>;

function askFor(service: Service, key: string, request: CheckoutRequest): Promise<Answer> {
  return askService(service, "/v1/checkout/sessions", {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/x-www-form-urlencoded",
      "idempotency-key": request.idempotencyKey,
    },
    body: toForm(request).toString(),
  });
}

function toForm(request: CheckoutRequest): URLSearchParams {
  const form = new URLSearchParams({
    mode: "payment",
    success_url: request.successUrl,
    "line_items[0][quantity]": String(request.quantity),
    "line_items[0][price_data][currency]": request.currency.toLowerCase(),
    "line_items[0][price_data][unit_amount]": String(request.amountMinor),
    "line_items[0][price_data][product_data][name]": request.name,
    expires_at: String(request.expiresAtSeconds),
  });
  if (request.cancelUrl !== undefined) form.set("cancel_url", request.cancelUrl);
  if (request.customerEmail !== undefined) form.set("customer_email", request.customerEmail);
  for (const [name, value] of Object.entries(request.metadata)) form.set(`metadata[${name}]`, value);
  return form;
}

function isTooSoon({ status, body }: Answer): boolean {
  return status === 400 && (body as { error?: { param?: unknown } } | null | undefined)?.error?.param === "expires_at";
}

function readSession({ name }: Service, answer: Answer): CheckoutSession {
  if (answer.status < 200 || answer.status > 299) throw answer.fail();
  const { url, expires_at } = (answer.body ?? {}) as { url?: unknown; expires_at?: unknown };
  if (typeof url !== "string" || !/^https?:\/\//.test(url) || typeof expires_at !== "number" || !Number.isSafeInteger(expires_at))
    throw new ToolError("TOOL_FAILED", `${name} answered without a link and the time when it ends.`);
  return { url, expiresAtSeconds: expires_at };
}
