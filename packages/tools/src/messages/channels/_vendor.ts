import { setTimeout as delay } from "node:timers/promises";
import { ToolError, ToolInputError } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import { FetchError, type SafeResponse } from "@toolrack/fetch";
import { hostOf, type HttpOperations, toToolError } from "../../operations/http.ts";
import { type FormField, toMultipart } from "./_multipart.ts";

/** The HTTP API behind a channel. Its address comes from the options, never from a model. */
export interface Vendor {
  /** As messages name it: "Slack". */
  readonly name: string;
  readonly url: string;
  readonly http: HttpOperations;
}

export interface VendorRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** A form instead of JSON. */
  readonly form?: readonly FormField[];
  /** Fields of a form without files, for methods that take no JSON. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Whether it sends a message: a request that may have arrived then ends as OUTCOME_UNKNOWN. */
  readonly isSend?: boolean;
}

export interface VendorAnswer {
  readonly status: number;
  /** Empty where the answer is no JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The same where it is a list. */
  readonly list: readonly unknown[];
}

/** One request. Waits where the vendor asks for a short wait, and follows no redirect: the token would be sent to the other address. */
export async function askVendor(vendor: Vendor, request: VendorRequest): Promise<VendorAnswer> {
  const { signal, isSend = false } = request;
  signal.throwIfAborted();
  for (let attempt = 1; ; attempt++) {
    const response = await ask(vendor, request).catch((error: unknown) => {
      if (FetchError.is(error) && error.code === "HEADER_INVALID")
        throw new ToolError("NEEDS_CONFIGURATION", `The token of ${vendor.name} holds a character that cannot be sent. Check the secret.`);
      throw isSend && mayHaveArrived(error) ? outcomeUnknown(vendor.name, error) : toToolError(error);
    });
    const answer = toAnswer(response);
    if (response.status !== 429) return checked(vendor.name, answer, isSend);
    const waitMs = waitOf(answer, response);
    if (attempt >= maxAttempts || waitMs > maxWaitMs)
      throw new ToolError("RATE_LIMITED", `${vendor.name} asks to wait before the next message. Nothing was sent.`, {
        retryable: true,
        retryAfterMs: waitMs,
      });
    await delay(waitMs, undefined, { signal });
  }
}

const [maxAttempts, maxWaitMs, maxBytes] = [4, 5_000, 4_194_304];

function ask({ url, http }: Vendor, { method, path, headers, body, form, fields, signal }: VendorRequest): Promise<SafeResponse> {
  const written = form && toMultipart(form);
  const sent = {
    method,
    signal,
    redirect: "error" as const,
    maxBytes,
    headers: {
      ...headers,
      ...(body !== undefined && { "content-type": "application/json; charset=utf-8" }),
      ...(written && { "content-type": written.contentType }),
      ...(fields && { "content-type": "application/x-www-form-urlencoded" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(written && { body: written.body }),
    ...(fields && { body: new URLSearchParams(fields).toString() }),
  };
  return http.request(path === "" ? url : `${url.replace(/\/$/, "")}${path}`, sent, hostOf(url, "baseUrl"));
}

/** Whether the vendor may have got the request: it was connected to, and no answer came. */
function mayHaveArrived(error: unknown): boolean {
  if (!FetchError.is(error)) return true;
  const { code, cause } = error;
  if (code === "TIMEOUT" || code === "UNREACHABLE") return !notConnected.has((cause as { code?: string } | undefined)?.code ?? "");
  return code === "ABORTED" || code === "RESPONSE_TOO_LARGE";
}

const notConnected: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export function outcomeUnknown(name: string, cause?: unknown): ToolError {
  return new ToolError(
    "OUTCOME_UNKNOWN",
    `${name} did not confirm the message: it may have been sent, or not. Look there before you send it again.`,
    { cause, retryable: false },
  );
}

function toAnswer(response: SafeResponse): VendorAnswer {
  let read: unknown;
  try {
    read = JSON.parse(response.text());
  } catch {
    read = undefined; // an empty answer, or a page of some proxy
  }
  return { status: response.status, body: isObject(read) ? read : {}, list: Array.isArray(read) ? read : [] };
}

function checked(name: string, answer: VendorAnswer, isSend: boolean): VendorAnswer {
  const { status, body } = answer;
  if (status >= 500)
    throw isSend ? outcomeUnknown(name) : new ToolError("TOOL_FAILED", `${name} failed (${status}). Try again later.`, { retryable: true });
  if (status >= 300 && status < 400)
    throw new ToolError("TOOL_FAILED", `${name} answered with a redirect (${status}), which is not followed. Check its address.`);
  if (status === 401 || status === 403)
    throw new ToolError("NEEDS_CONFIGURATION", `${name} refused the token (${status})${saying(body)}. Check the secret and its rights.`);
  return answer;
}

/** What a vendor says about a refusal: ": chat not found". */
export function saying(body: VendorAnswer["body"]): string {
  const said = [body["error"], body["description"], body["message"]].find((one) => typeof one === "string");
  return said === undefined ? "" : `: ${(said as string).replace(/\s+/g, " ").replace(/\.$/, "").slice(0, 300)}`;
}

/** Vendors tell the seconds in their answers, or in a header. */
function waitOf({ body }: VendorAnswer, { headers }: SafeResponse): number {
  const told = isObject(body["parameters"]) ? body["parameters"]["retry_after"] : body["retry_after"];
  const seconds = typeof told === "number" ? told : Number(headers["retry-after"] ?? 1);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(Math.min(seconds, 86_400) * 1_000) : 1_000;
}

/** An id that a service gives: digits alone. Any other text would lead to another address, or be read as another number. */
export function numericId(name: string, what: string, id: string): string {
  if (/^-?\d{1,25}$/.test(id)) return id;
  throw new ToolInputError(`${name} knows no ${what} ${JSON.stringify(id)}: its ids are numbers. Take one from an earlier result.`);
}

/** A refusal that has a reason: nothing was done. */
export function refused(name: string, did: string, answer: VendorAnswer): ToolError {
  return new ToolError("TOOL_FAILED", `${name} did not ${did} (${answer.status})${saying(answer.body)}.`, { retryable: false });
}
