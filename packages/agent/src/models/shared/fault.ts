import { isObject } from "@toolrack/core/internal";
import { at, textAt } from "./json.ts";

/** Why a request failed, as a sentence that begins with the name of the model. */
export class ModelFault extends Error {
  readonly retryable: boolean;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { readonly retryable?: boolean; readonly status?: number; readonly retryAfterMs?: number } = {}) {
    super(message);
    this.retryable = options.retryable ?? false;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Takes the secrets of a request out of a text. */
export type HideSecrets = (text: string) => string;

/** An error as vendors write it. */
export interface SentError {
  readonly message: string;
  /** "overloaded_error", "insufficient_quota", 503. */
  readonly code: string;
  readonly retryAfterMs?: number;
}

/** The error in an event or in the body of an answer: { error }, { type: "error" }, a response that failed, or a list with one of these. */
export function readSentError(value: unknown): SentError | undefined {
  const event = Array.isArray(value) ? (value[0] as unknown) : value;
  const failed = at(event, "type") === "response.failed" ? (at(event, "response", "error") ?? {}) : undefined;
  const bare = at(event, "type") === "error" ? event : undefined;
  const error = [at(event, "error"), failed, at(event, "choices", 0, "error"), bare].find(
    (one) => isObject(one) || (typeof one === "string" && one !== ""),
  );
  if (error === undefined) return undefined;
  const codes = [at(error, "code"), at(error, "type"), at(error, "status")].filter(
    (code) => typeof code === "string" || typeof code === "number",
  );
  const details: unknown = at(error, "details");
  const delay = Array.isArray(details) ? details.map((detail) => textAt(detail, "retryDelay")).find((text) => text !== "") : undefined;
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay ?? "")?.[1];
  return {
    message: typeof error === "string" ? error : textAt(error, "message"),
    code: codes.filter((code) => code !== "error").join(" "),
    ...(seconds !== undefined && { retryAfterMs: Number(seconds) * 1_000 }),
  };
}

/** The fault for an answer with a status that is none of success. */
export function refusedBy(
  model: string,
  status: number,
  sent: SentError | undefined,
  retryAfterMs: number | undefined,
  hide: HideSecrets,
): ModelFault {
  const said = sayingOf(sent, hide);
  const wait = retryAfterMs ?? sent?.retryAfterMs;
  const isEmpty = hasNoQuota(sent);
  const retryable = (status === 408 || status === 429 || status >= 500) && !isEmpty;
  const options = { retryable, status, ...(wait !== undefined && retryable && { retryAfterMs: wait }) };
  return new ModelFault(`${model} ${factOf(status, isEmpty)}${said}. ${stepOf(status, isEmpty, wait)}`, options);
}

/** The fault for an error that came as an event of the stream. */
export function failedWith(model: string, sent: SentError, hide: HideSecrets): ModelFault {
  const status = /\b[45]\d\d\b/.exec(sent.code)?.[0];
  const retryable =
    /overload|rate_?limit|exhausted|server_?error|api_error|internal|unavailable|timeout|\b(?:429|5\d\d)\b/i.test(sent.code) &&
    !hasNoQuota(sent);
  const options = {
    retryable,
    ...(status !== undefined && { status: Number(status) }),
    ...(sent.retryAfterMs !== undefined && { retryAfterMs: sent.retryAfterMs }),
  };
  return new ModelFault(
    `${model} sent an error${sayingOf(sent, hide)}. ${retryable ? "Send the request again." : "Check the request."}`,
    options,
  );
}

function hasNoQuota(sent: SentError | undefined): boolean {
  return /insufficient_quota|billing/i.test(sent?.code ?? "");
}

/** What the vendor says, without secrets. They are looked for before it is cut, because half a key is no longer known as one. */
function sayingOf(sent: SentError | undefined, hide: HideSecrets): string {
  if (sent === undefined || (sent.message === "" && sent.code === "")) return "";
  const message = hide(sent.message.slice(0, 10_000)).replace(/\s+/g, " ").trim();
  const shown = message === "" ? "" : JSON.stringify(message.length > 300 ? `${message.slice(0, 300)}…` : message);
  const code = sent.code === "" ? "" : `(${hide(sent.code).slice(0, 80)})`;
  return `: ${[shown, code].filter((part) => part !== "").join(" ")}`;
}

function factOf(status: number, isEmpty: boolean): string {
  if (isEmpty) return `has no quota left (${status})`;
  if (status === 401 || status === 403) return `refused the key (${status})`;
  if (status === 404) return "was not found (404)";
  if (status === 429) return "asks to wait (429)";
  if (status >= 500) return `is not able to answer now (${status})`;
  return status < 400 ? `answered with a redirect (${status}), which is not followed` : `refused the request (${status})`;
}

function stepOf(status: number, isEmpty: boolean, waitMs: number | undefined): string {
  if (isEmpty) return "Check the account's plan and limits.";
  if (status === 401 || status === 403) return "Check the key and its rights.";
  if (status === 404) return "Check the name of the model and baseUrl.";
  if (status === 413) return "Shorten the conversation.";
  if (status === 429 || status === 408 || status >= 500)
    return waitMs === undefined ? "Send the request again later." : `Send the request again in ${Math.ceil(waitMs / 1_000)} s.`;
  return status < 400 ? "Set baseUrl to the address itself." : "Change the request as it says.";
}

/** "7", "Wed, 21 Oct 2026 07:28:00 GMT" or milliseconds in a header of their own → milliseconds, at most a day. */
export function readRetryAfter(headers: { get(name: string): string | null }, now: number = Date.now()): number | undefined {
  const exact = headers.get("retry-after-ms")?.trim() ?? "";
  const given = headers.get("retry-after")?.trim() ?? "";
  const digits = /^\d+(?:\.\d+)?$/;
  const ms = digits.test(exact)
    ? Number(exact)
    : digits.test(given)
      ? Number(given) * 1_000
      : /^[A-Z]/i.test(given)
        ? Date.parse(given) - now
        : NaN;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, Math.ceil(ms)), 86_400_000);
}
