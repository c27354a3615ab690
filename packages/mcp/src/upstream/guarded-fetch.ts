import { lookup as systemLookup } from "node:dns";
import { setMaxListeners } from "node:events";
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Readable } from "node:stream";
import { FetchError, isPublicAddress } from "@toolrack/fetch";
import { type BodyLimits, limitEvents, readBody } from "./limit-body.ts";

export interface GuardedFetchOptions {
  readonly allowHosts?: readonly string[];
  /** The largest answer, or the largest event of a stream. */
  readonly maxBytes: number;
  /** Sent to this origin, and to no other that an answer may lead to. */
  readonly headers: Readonly<Record<string, string>>;
  readonly origin: string;
}

/** The `fetch` of the client's transport: streams answers, follows nothing, and reaches public addresses only unless a host is allowed. */
export interface GuardedFetch {
  (url: string | URL, init?: RequestInit): Promise<Response>;
  close(): void;
}

export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const allowed = new Set(options.allowHosts?.map(readAllowedHost));
  const agents = { guarded: createAgents(guardedLookup), trusted: createAgents(undefined) };

  const guardedFetch = (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = readUrl(target);
    const isTrusted = allowed.has(url.hostname) || allowed.has(`${url.hostname}:${portOf(url)}`);
    const address = url.hostname.replace(/^\[|\]$/g, "");
    if (!isTrusted && isIP(address) !== 0 && !isPublicAddress(address)) throw refused(url.host);
    const headers = new Headers(init.headers);
    if (url.origin === options.origin) for (const [name, value] of Object.entries(options.headers)) headers.set(name, value);
    const agent = (isTrusted ? agents.trusted : agents.guarded)[url.protocol === "https:" ? "https" : "http"];
    return send(url, { ...init, headers }, agent, isTrusted, options.maxBytes);
  };

  return Object.assign(async (target: string | URL, init?: RequestInit) => guardedFetch(target, init), {
    close() {
      for (const { http, https } of Object.values(agents)) {
        http.destroy();
        https.destroy();
      }
    },
  });
}

function send(
  url: URL,
  init: RequestInit & { headers: Headers },
  agent: HttpAgent,
  isTrusted: boolean,
  maxBytes: number,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { method = "GET", headers, signal } = init;
    const body = typeof init.body === "string" ? init.body : init.body instanceof URLSearchParams ? init.body.toString() : undefined;
    if (init.body instanceof URLSearchParams && !headers.has("content-type"))
      headers.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
    if (init.body !== undefined && init.body !== null && body === undefined) throw new TypeError("Only text can be sent to an MCP server.");
    const sending = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, {
      method,
      agent,
      headers: { "accept-encoding": "identity", ...Object.fromEntries(headers) },
      ...(signal && { signal }),
    });
    if (signal) setMaxListeners(0, signal); // the transport has one for all its requests
    sending.once("response", (answer) => resolve(toResponse(answer, { maxBytes, host: url.host, sent: body })));
    sending.on("error", (error) => reject(FetchError.is(error) || signal?.aborted ? error : unreachable(url, error)));
    // The last word has the address that the socket is really connected to.
    if (!isTrusted) sending.once("socket", (socket) => checkAddress(socket, url.host));
    sending.end(body);
  });
}

function checkAddress(socket: Socket, host: string): void {
  const check = (): void => {
    if (!isPublicAddress(socket.remoteAddress ?? "")) socket.destroy(refused(host));
  };
  if (socket.connecting) socket.once("connect", check);
  else check();
}

async function toResponse(answer: IncomingMessage, limits: BodyLimits): Promise<Response> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headersDistinct)) for (const one of value ?? []) headers.append(name, one);
  const status = answer.statusCode ?? 502;
  const init = { status, statusText: answer.statusMessage ?? "", headers };
  if (headers.get("content-type")?.toLowerCase().startsWith("text/event-stream"))
    return new Response(limitEvents(Readable.toWeb(answer) as ReadableStream<Uint8Array>, limits), init);
  const body = await readBody(answer, limits);
  return new Response(status === 204 || status === 205 || status === 304 ? null : body, init);
}

/** Refuses a name as soon as one of its addresses is not public. The socket connects to the addresses given here. */
const guardedLookup: LookupFunction = (host, options, callback) => {
  systemLookup(host, { all: true, verbatim: true }, (error, addresses) => {
    if (error !== null) return callback(error, "", 0);
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) return callback(refused(host), "", 0);
    if (options.all) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};

/** Connections of the two kinds are never shared. */
function createAgents(lookup: LookupFunction | undefined): { readonly http: HttpAgent; readonly https: HttpsAgent } {
  // An idle connection is closed before most servers do, so that no request is sent into one that is just being closed.
  const settings = { keepAlive: true, maxFreeSockets: 4, timeout: 2_000, ...(lookup && { lookup }) };
  return { http: new HttpAgent(settings), https: new HttpsAgent(settings) };
}

function readUrl(target: string | URL): URL {
  const url = new URL(String(target));
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new FetchError("URL_INVALID", `Only http and https are fetched, not "${url.protocol}".`);
  return url;
}

/** "LOCALHOST:80" → "localhost:80", "127.1" → "127.0.0.1": the form that URLs have. */
export function readAllowedHost(entry: string): string {
  const [, host, port] = /^(\[[^\]]+\]|[^\s:/@?#\\*]+)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  if (host === undefined || !URL.canParse(`http://${host}`))
    throw new FetchError(
      "URL_INVALID",
      `The allowed host ${JSON.stringify(entry)} must be a host, or a host and a port, such as "localhost:8080".`,
    );
  const { hostname } = new URL(`http://${host}`);
  return port === undefined ? hostname : `${hostname}:${Number(port)}`;
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function refused(host: string): FetchError {
  return new FetchError("ADDRESS_REFUSED", `"${host}" is not an address of the public internet. If it is meant, add it to allowHosts.`);
}

function unreachable(url: URL, error: Error): FetchError {
  const { code } = error as NodeJS.ErrnoException;
  return new FetchError("UNREACHABLE", `${url.host} cannot be reached: ${code ?? error.message}.`, { cause: error });
}
