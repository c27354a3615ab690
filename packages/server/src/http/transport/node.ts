import type { IncomingMessage, ServerResponse } from "node:http";
import type { BodyFault, HttpRequest, Reply, WholeReply } from "./exchange.ts";
import type { Socket } from "node:net";
import { readRequestId } from "../request/request-id.ts";
import { isOfOwnUser } from "./peer-user.ts";

/** A request of `node:http`, read directly: converting it to a web-standard request would cost as much as a call. */
export class NodeRequest implements HttpRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #url: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #remoteAddress: string | undefined;
  #onLeave: (() => void) | undefined;

  /** `onClosed` is called when the answer is finished, or the client disconnected. `remoteAddress` takes precedence over the connection. */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, onClosed?: () => void, remoteAddress?: string) {
    const { method = "GET", url = "/" } = incoming;
    const target = url.startsWith("/") ? url : withoutOrigin(url);
    const mark = target.indexOf("?");
    this.method = method;
    this.#url = url;
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.query = mark === -1 ? "" : target.slice(mark + 1);
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.id = readRequestId(this.header("x-request-id"));
    this.#remoteAddress = remoteAddress;
    outgoing.on("close", () => {
      if (!outgoing.writableFinished) this.#onLeave?.();
      onClosed?.();
    });
  }

  get origin(): string {
    return `${"encrypted" in this.#incoming.socket ? "https" : "http"}://${this.header("host") ?? ""}`;
  }

  get remoteAddress(): string | undefined {
    return this.#remoteAddress ?? this.#incoming.socket.remoteAddress;
  }

  get hasBody(): boolean {
    const { headers } = this.#incoming;
    return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    // Inherited properties are not headers: "constructor".
    return typeof value === "string" ? value : Array.isArray(value) ? value.join(", ") : undefined;
  }

  headerNames(): readonly string[] {
    return Object.keys(this.#incoming.headers);
  }

  /** With two hosts, or none, a checking proxy and this server could read different ones. */
  hostFault(): string | undefined {
    const { rawHeaders, headers } = this.#incoming;
    let hosts = 0;
    for (let index = 0; index < rawHeaders.length; index += 2)
      if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === "host") hosts += 1;
    if (hosts !== 1) return hosts === 0 ? "it has no Host header" : "it has more than one Host header";
    const { host = "" } = headers;
    if (host.includes(",")) return "its Host header names more than one host";
    if (this.#url.startsWith("/")) return undefined;
    const target = hostOfTarget(this.#url);
    return target === undefined || target === host.toLowerCase() ? undefined : "its request line and its Host header name different hosts";
  }

  /** Clients of this machine speak HTTP/1.1 and have a user who may read the owner's token; proxies speak HTTP/1.0 by default, or have a user of their own. */
  isRelayed(): boolean | Promise<boolean> {
    const { httpVersion, socket } = this.#incoming;
    if (httpVersion === "1.0") return true;
    return this.#remoteAddress === undefined && isOfOtherUser(socket);
  }

  readBody(maxBytes: number, take: (bytes: Uint8Array) => void, fail: (fault: BodyFault) => void): void {
    const incoming = this.#incoming;
    let pieces: Buffer[] = [];
    let bytes = 0;
    let isOver = false;
    const stop = (fault: BodyFault): void => {
      if (isOver) return;
      isOver = true;
      pieces = [];
      fail(fault);
    };
    incoming.on("data", (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > maxBytes) stop("too-large");
      if (!isOver) pieces.push(piece);
    });
    incoming.on("error", () => stop("broken-off"));
    incoming.on("end", () => {
      if (isOver) return;
      isOver = true;
      take(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
    });
  }

  onLeave(listener: () => void): void {
    if (this.#outgoing.destroyed) listener();
    else this.#onLeave = listener;
  }

  /** Writes the answer, or an error if it cannot be written. */
  send(reply: Reply, onFailed: (error: unknown) => WholeReply): void {
    try {
      this.#write(reply);
    } catch (error) {
      const instead = onFailed(error);
      if (this.#outgoing.headersSent) this.#outgoing.destroy();
      else this.#write(instead);
    }
  }

  #write(reply: Reply): void {
    const outgoing = this.#outgoing;
    if ("handler" in reply) {
      for (const name of Object.keys(reply.headers)) outgoing.setHeader(name, reply.headers[name]!);
      outgoing.setHeader("x-request-id", this.id);
      return reply.handler.node(this.#incoming, outgoing);
    }
    const { status, headers, body } = reply;
    if (body instanceof ReadableStream) {
      outgoing.writeHead(status, { ...headers, "x-request-id": this.id });
      void pump(body, outgoing);
    } else if (body === undefined) {
      outgoing.writeHead(status, { ...headers, "x-request-id": this.id }).end();
    } else {
      outgoing.writeHead(status, { ...headers, "x-request-id": this.id, "content-length": Buffer.byteLength(body) });
      // For HEAD, Node sends the headers only.
      outgoing.end(body);
    }
  }
}

/** Asked once for each connection. */
function isOfOtherUser(socket: Socket): boolean | Promise<boolean> {
  const known = ofOthers.get(socket);
  if (known !== undefined) return known;
  const asked = isOfOwnUser(socket).then((isOwn) => {
    ofOthers.set(socket, isOwn === false);
    return isOwn === false;
  });
  ofOthers.set(socket, asked);
  return asked;
}

const ofOthers = new WeakMap<Socket, boolean | Promise<boolean>>();

/** "http://localhost:7333/health" → "localhost:7333"; undefined for "*", which names none. */
function hostOfTarget(url: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase();
}

/** "http://localhost:7333/health" → "/health", as clients of a proxy write it; "*" stays, and is the path of nothing. */
function withoutOrigin(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Reads the next chunk when there is room for it, and cancels the stream when the client disconnects. */
async function pump(stream: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = stream.getReader();
  let wake = (): void => {};
  outgoing.on("drain", () => wake());
  outgoing.on("close", () => {
    wake();
    reader.cancel().catch(() => {});
  });
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (outgoing.destroyed) return await reader.cancel();
      if (!outgoing.write(next.value)) await new Promise<void>((resolve) => (wake = resolve));
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}
