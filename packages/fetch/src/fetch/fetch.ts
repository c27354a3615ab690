import type { Dispatcher } from "undici";
import { readUrl } from "../address/check-url.ts";
import { readAllowedHosts } from "../address/hosts.ts";
import { type Resolve, systemResolve } from "../address/lookup.ts";
import type { IsOwnAddress } from "../address/reserved.ts";
import { FetchError } from "../errors.ts";
import { readBody } from "./body.ts";
import type { Agents } from "./connect.ts";
import { checkHeaders, withoutCredentials } from "./headers.ts";
import { toFetchError } from "./failures.ts";
import { discard, untilAborted } from "./until-aborted.ts";
import { unpack } from "./unpack.ts";

export interface SafeFetchOptions {
  /** Hosts, or hosts with a port, that may be reached although their address is not public. @default none */
  readonly allowHosts?: readonly string[];
  /** How errors name `allowHosts`: as the key of a configuration. @default "allowHosts" */
  readonly allowHostsKey?: string;
  /** Addresses of this process: they stay refused unless `allowHosts` names the host with its port. @default none */
  readonly isOwnAddress?: IsOwnAddress;
  /** For a whole request, redirects included. @default 30_000 */
  readonly timeoutMs?: number;
  /** The longest answer that is read. @default 10_485_760 */
  readonly maxBytes?: number;
  /** How many redirects are followed. @default 5 */
  readonly maxRedirects?: number;
  /** Resolves names. @default the system's */
  readonly resolve?: Resolve;
}

export interface SafeRequest {
  /** GET, POST … @default "GET" */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** "error" answers with the redirect itself. @default "follow" */
  readonly redirect?: "follow" | "error";
}

export interface SafeResponse {
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly ok: boolean;
  /** Names in lower case; several values of one name are joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  text(): string;
}

/** Fetches from the public internet, and from nowhere else unless the configuration names the host. */
export interface SafeFetch {
  (url: string | URL, request?: SafeRequest): Promise<SafeResponse>;
  close(): Promise<void>;
}

export function createSafeFetch(options: SafeFetchOptions = {}): SafeFetch {
  const allowed = readAllowedHosts(options.allowHosts);
  const {
    timeoutMs: defaultTimeoutMs = 30_000,
    maxBytes: defaultMaxBytes = 10_485_760,
    maxRedirects = 5,
    resolve = systemResolve,
    allowHostsKey: key = "allowHosts",
    isOwnAddress = () => false,
  } = options;
  let opening: Promise<Agents> | undefined;

  /** The client is loaded with the first request. */
  async function openAgents(): Promise<Agents> {
    const { createAgents } = await import("./connect.ts");
    return createAgents(resolve, Math.min(10_000, defaultTimeoutMs), { allowed, isOwnAddress, key });
  }

  async function fetchOnce(url: URL, request: SafeRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { trusted, guarded } = await (opening ??= openAgents());
    const dispatcher = allowed.has(url) ? trusted : guarded;
    return dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: (request.method ?? "GET") as Dispatcher.HttpMethod,
      headers: { "accept-encoding": "identity", ...request.headers },
      ...(request.body !== undefined && { body: request.body }),
      signal,
    });
  }

  const safeFetch = async (start: string | URL, request: SafeRequest = {}): Promise<SafeResponse> => {
    const { timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes } = request;
    let url = readUrl(start, allowed, key);
    let current: SafeRequest = { ...request, headers: checkHeaders(request.headers) };
    if (request.signal?.aborted) throw new FetchError("ABORTED", `The request to ${url.host} was given up before it began.`);
    const controller = new AbortController();
    const forward = (): void => controller.abort(request.signal?.reason);
    request.signal?.addEventListener("abort", forward, { once: true });
    const timer = setTimeout(() => controller.abort(new DOMException("Timed out", "TimeoutError")), timeoutMs);
    try {
      for (let redirects = 0; ; redirects++) {
        const response = await untilAborted(fetchOnce(url, current, controller.signal), controller.signal);
        const location = response.headers["location"];
        if (!isRedirect(response.statusCode) || typeof location !== "string" || request.redirect === "error")
          return await answer(url, response, maxBytes);
        discard(response);
        if (redirects === maxRedirects)
          throw new FetchError("TOO_MANY_REDIRECTS", `${url.host} redirected more than ${maxRedirects} times.`);
        if (!URL.canParse(location, url.href))
          throw new FetchError("URL_INVALID", `${url.host} redirected to something that is not a URL.`);
        const next = readUrl(new URL(location, url), allowed, key);
        current = follow(current, response.statusCode, url, next);
        url = next;
      }
    } catch (error) {
      throw toFetchError(error, url, controller.signal, timeoutMs);
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", forward);
    }
  };

  return Object.assign(safeFetch, {
    async close() {
      await (await opening)?.close();
    },
  });
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** As browsers do: 303 (and 301, 302 after POST) become GET without a body; credentials stay with the origin they were meant for. */
function follow(request: SafeRequest, status: number, from: URL, to: URL): SafeRequest {
  const headers = from.origin === to.origin ? request.headers : withoutCredentials(request.headers ?? {});
  const method = request.method ?? "GET";
  if (status !== 303 && !((status === 301 || status === 302) && method === "POST")) return { ...request, ...(headers && { headers }) };
  const { body: _, ...rest } = request;
  const plain = Object.entries(headers ?? {}).filter(([name]) => !name.toLowerCase().startsWith("content-"));
  return { ...rest, method: method === "HEAD" ? "HEAD" : "GET", headers: Object.fromEntries(plain) };
}

async function answer(url: URL, response: Dispatcher.ResponseData, maxBytes: number): Promise<SafeResponse> {
  const sent = await readBody(response.body, maxBytes, url.host);
  const unpacked = await unpack(sent, response.headers["content-encoding"], maxBytes, url.host);
  const bytes = new Uint8Array(unpacked ?? sent);
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(response.headers))
    if (unpacked === undefined || !/^content-(?:encoding|length)$/i.test(name))
      headers[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : String(value);
  return {
    url: url.href,
    status: response.statusCode,
    ok: response.statusCode >= 200 && response.statusCode < 300,
    headers,
    bytes,
    text: () => new TextDecoder().decode(bytes),
  };
}
