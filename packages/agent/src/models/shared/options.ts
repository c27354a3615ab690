import { ToolError } from "@toolrack/core";
import { checkFields, type FieldKind, type FieldsOf, isObject, method, positive, text } from "@toolrack/core/internal";
import type { ModelFetch } from "./fetch.ts";
import type { ModelPrices } from "./prices.ts";

/** What every client takes. */
export interface ModelOptions {
  /** As the vendor names it: "claude-sonnet-5-5". */
  readonly model: string;
  /** The key, or a function that reads it before each request. It is in no event and in no message of an error. @default no key is sent */
  readonly key?: string | (() => Promise<string>);
  /** Where the API is; its host may have a private address. @default the vendor's own */
  readonly baseUrl?: string;
  /** How many tokens a conversation may have, for whoever has to shorten it. @default unknown */
  readonly contextTokens?: number;
  /** For requests that name no limit. @default the vendor's, or 8_192 where it wants one */
  readonly maxOutputTokens?: number;
  /** Further fields of every request as the vendor spells them, such as { temperature: 0 }. What the client itself writes wins. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Prices that come before `modelPrices`. */
  readonly prices?: ModelPrices;
  /** How long nothing may come before the request fails. @default 120_000 */
  readonly idleTimeoutMs?: number;
  /** The largest reply, as bytes of its stream. @default 16_777_216 */
  readonly maxReplyBytes?: number;
  /** Sends the requests. @default public addresses and the host of `baseUrl`, and no redirect is followed */
  readonly fetch?: ModelFetch;
}

const keyKind: FieldKind = { is: "a text or a function", test: (value) => text.test(value) || method.test(value) };
const objectKind: FieldKind = { is: "an object", test: isObject };

export const modelFields: FieldsOf<ModelOptions> = {
  model: { is: "a text that is not empty", test: (value) => typeof value === "string" && value !== "", required: true },
  key: keyKind,
  baseUrl: text,
  contextTokens: positive,
  maxOutputTokens: positive,
  body: objectKind,
  headers: objectKind,
  prices: objectKind,
  idleTimeoutMs: positive,
  maxReplyBytes: positive,
  fetch: method,
};

/** Throws CONFIG_INVALID for options that are wrong. The base URL comes back without a slash at its end. */
export function readBaseUrl(options: ModelOptions, maker: string, fields: Readonly<Record<string, FieldKind>>, defaultUrl: string): URL {
  checkFields(options, fields, { subject: maker, word: "option" });
  const given = options.baseUrl ?? defaultUrl;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "";
  if (!isPlain)
    throw new ToolError(
      "CONFIG_INVALID",
      `${maker}: "baseUrl" must be a URL of http or https without a key in it, such as "${defaultUrl}".`,
    );
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}
