import { type Loopback, type Seen, sendJson, startLoopback } from "@toolrack/testkit/loopback";

export interface StripeServer extends Loopback {
  /** Sessions that were made, by the key that asked for them. */
  readonly sessions: ReadonlyMap<string, { readonly id: string; readonly form: Readonly<Record<string, string>> }>;
}

export interface StripeOptions {
  /** How soon a session may end, in seconds from now; Stripe's own wants 1,800. @default 0 */
  readonly leastSeconds?: number;
  /** Answers the first requests with this status instead. */
  readonly fail?: { readonly status: number; readonly times: number };
  readonly key?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Speaks the wire format of Checkout Sessions: forms in, JSON out, one answer for each idempotency key. */
export async function startStripe(options: StripeOptions = {}): Promise<StripeServer> {
  const { leastSeconds = 0, key = "sk_test_abcdef", now = Date.now } = options;
  const sessions = new Map<string, { id: string; form: Record<string, string>; body: unknown }>();
  let failures = options.fail?.times ?? 0;

  function answer(request: Seen): readonly [number, unknown] {
    const error = (status: number, type: string, message: string, param?: string): readonly [number, unknown] => [
      status,
      { error: { type, message, ...(param !== undefined && { param }) } },
    ];
    if (request.headers.authorization !== `Bearer ${key}`) return error(401, "invalid_request_error", "Invalid API Key provided.");
    if (request.method !== "POST" || request.path !== "/v1/checkout/sessions")
      return error(404, "invalid_request_error", "Unrecognized request URL.");
    if (!request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded"))
      return error(400, "invalid_request_error", "Not a form.");
    if (failures-- > 0) return error(options.fail!.status, "api_error", "Something went wrong on our side.");
    const form = Object.fromEntries(new URLSearchParams(request.body));
    const idempotencyKey = String(request.headers["idempotency-key"]);
    const known = sessions.get(idempotencyKey);
    if (known !== undefined)
      return JSON.stringify(known.form) === JSON.stringify(form)
        ? [200, known.body]
        : error(400, "idempotency_error", "Keys for idempotent requests can only be used with the same parameters.");
    for (const name of ["mode", "success_url", "line_items[0][quantity]", "line_items[0][price_data][unit_amount]"])
      if (form[name] === undefined) return error(400, "invalid_request_error", `Missing required param: ${name}.`, name);
    if (Number(form["expires_at"]) < Math.floor(now() / 1_000) + leastSeconds)
      return error(400, "invalid_request_error", "The expires_at timestamp is too soon.", "expires_at");
    const id = `cs_test_${sessions.size + 1}`;
    const body = {
      id,
      object: "checkout.session",
      status: "open",
      url: `https://checkout.example.com/c/${id}`,
      expires_at: Number(form["expires_at"]),
    };
    sessions.set(idempotencyKey, { id, form, body });
    return [200, body];
  }

  const server = await startLoopback((request, response) => {
    const [status, body] = answer(request);
    sendJson(response, body, status);
  });
  return { ...server, sessions, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
