import { setMaxListeners } from "node:events";
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction, Socket } from "node:net";
import { Readable } from "node:stream";
import { FetchError, isPublicAddress } from "@toolrack/fetch";
import { createSafeLookup, readAllowedHosts, readBody, readUrl, refusedAddress, systemResolve } from "@toolrack/fetch/internal";
import { credentialsReceived, credentialsSent } from "../credentials/credentials.ts";
import { type UpstreamBodyLimits, limitEvents, requestId } from "./limit-body.ts";
import { findAmbiguity } from "../../wire/single-reading.ts";

export interface GuardedFetchOptions {
  readonly allowHosts?: readonly string[];
  /** The largest answer, or the largest event of a stream. */
  readonly maxBytes: number;
  /** Sent to this origin, and to no other that an answer may lead to. */
  readonly headers: Readonly<Record<string, string>>;
  readonly origin: string;
  /** Told of every credential that is sent or comes in. */
  readonly onCredentials?: (credentials: readonly string[]) => void;
}

/** The `fetch` of the client's transport: streams answers, follows nothing, and reaches public addresses only unless a host is allowed. */
export interface GuardedFetch {
  (url: string | URL, init?: RequestInit): Promise<Response>;
  close(): void;
}

export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const allowed = readAllowedHosts(options.allowHosts);
  const agents = { guarded: createAgents(createSafeLookup(systemResolve)), trusted: createAgents(undefined) };

  const guardedFetch = (target: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = readUrl(target, allowed);
    const isTrusted = allowed.has(url);
    const headers = new Headers(init.headers);
    if (url.origin === options.origin) for (const [name, value] of Object.entries(options.headers)) headers.set(name, value);
    const agent = (isTrusted ? agents.trusted : agents.guarded)[url.protocol === "https:" ? "https" : "http"];
    const { method = "GET", signal } = init;
    const body = textOf(init.body, headers);
    options.onCredentials?.(credentialsSent(headers, body));
    return send({
      url,
      method,
      headers,
      body,
      signal: signal ?? undefined,
      agent,
      isTrusted,
      maxBytes: options.maxBytes,
      onCredentials: options.onCredentials,
    });
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

interface Sending {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly agent: HttpAgent;
  readonly isTrusted: boolean;
  readonly maxBytes: number;
  readonly onCredentials: GuardedFetchOptions["onCredentials"];
}

function send(sending: Sending, isSecond = false): Promise<Response> {
  const { url, method, headers, body, signal, agent, isTrusted, maxBytes, onCredentials } = sending;
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, {
      method,
      agent,
      headers: { "accept-encoding": "identity", ...Object.fromEntries(headers) },
      ...(signal && { signal }),
    });
    if (signal) setMaxListeners(0, signal); // the transport has one for all its requests
    request.once("response", (answer) => resolve(toResponse(answer, { maxBytes, host: url.host, sent: body }, onCredentials)));
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (!isSecond && request.reusedSocket && error.code === "ECONNRESET" && !callsTool(body)) resolve(send(sending, true));
      else reject(FetchError.is(error) || signal?.aborted ? error : unreachable(url, error));
    });
    // Checked again on the connected socket: that address decides.
    if (!isTrusted) request.once("socket", (socket) => checkAddress(socket, url.host));
    request.end(body);
  });
}

/** A connection that was idle may be closed while a request is sent into it. All but a call may then be sent again. */
function callsTool(body: string | undefined): boolean {
  return body?.includes('"tools/call"') ?? false;
}

/** Messages are JSON; what goes to an authorization server is a form. */
function textOf(body: RequestInit["body"], headers: Headers): string | undefined {
  if (body === undefined || body === null || typeof body === "string") return body ?? undefined;
  if (!(body instanceof URLSearchParams)) throw new TypeError("Only text can be sent to an MCP server.");
  if (!headers.has("content-type")) headers.set("content-type", "application/x-www-form-urlencoded;charset=UTF-8");
  return body.toString();
}

function checkAddress(socket: Socket, host: string): void {
  const check = (): void => {
    if (!isPublicAddress(socket.remoteAddress ?? "")) socket.destroy(refusedAddress(host));
  };
  if (socket.connecting) socket.once("connect", check);
  else check();
}

async function toResponse(
  answer: IncomingMessage,
  limits: UpstreamBodyLimits,
  onCredentials: GuardedFetchOptions["onCredentials"],
): Promise<Response> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headersDistinct)) for (const one of value ?? []) headers.append(name, one);
  const status = answer.statusCode ?? 502;
  const init = { status, statusText: answer.statusMessage ?? "", headers };
  if (headers.get("content-type")?.toLowerCase().startsWith("text/event-stream"))
    return new Response(limitEvents(Readable.toWeb(answer) as ReadableStream<Uint8Array>, limits), init);
  let body = await readBody(answer, limits.maxBytes, limits.host);
  onCredentials?.(credentialsReceived(body));
  const refused = body.includes('"jsonrpc"') ? findAmbiguity(body, requestId(limits.sent))?.answer : undefined;
  if (refused !== undefined) body = Buffer.from(JSON.stringify(refused));
  return new Response(status === 204 || status === 205 || status === 304 ? null : body, init);
}

/** Connections of the two kinds are never shared. */
function createAgents(lookup: LookupFunction | undefined): { readonly http: HttpAgent; readonly https: HttpsAgent } {
  // An idle connection is closed before most servers do, so that no request is sent into one that is just being closed.
  const settings = { keepAlive: true, maxFreeSockets: 4, timeout: 2_000, ...(lookup && { lookup }) };
  return { http: new HttpAgent(settings), https: new HttpsAgent(settings) };
}

function unreachable(url: URL, error: Error): FetchError {
  const { code } = error as NodeJS.ErrnoException;
  return new FetchError("UNREACHABLE", `${url.host} cannot be reached: ${code ?? (error.message || error.name)}.`, { cause: error });
}
