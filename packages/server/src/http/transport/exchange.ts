import type { IncomingMessage, ServerResponse } from "node:http";

/** A request over HTTP, whatever it came in through: a socket of `node:http`, or a program in the same process. */
export interface HttpRequest {
  /** Names it in the log and in its answer; see `readRequestId`. */
  readonly id: string;
  readonly method: string;
  /** As it was sent, without the query: "/api/v1/tools/a%20b". */
  readonly path: string;
  /** What follows the question mark; "" where there is none. */
  readonly query: string;
  /** As the client calls the server: "http://localhost:7333". */
  readonly origin: string;
  /** Of the client, `unixSocket` for a socket of this machine; undefined where it is unknown, and then nobody is trusted for it. */
  readonly remoteAddress: string | undefined;
  readonly hasBody: boolean;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** In lower case. */
  headerNames(): readonly string[];
  /** What is wrong with how the request says which host it is for; absent where nothing can be. */
  hostFault?(): string | undefined;
  /** Reads the body, once. Tells one of the two, once. */
  readBody(maxBytes: number, take: (bytes: Uint8Array) => void, fail: (fault: BodyFault) => void): void;
  /** Tells that the client went away before its answer was finished. To be asked once. */
  onLeave(listener: () => void): void;
}

/** Instead of an address: the client came over a Unix socket, which only programs of this machine can open. */
export const unixSocket = "unix socket";

export type BodyFault = "too-large" | "broken-off";

/** What is answered. */
export type Reply = WholeReply | HandedReply;

export interface WholeReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** Another handler of HTTP answers the same request; these headers are on its answer, too. */
export interface HandedReply {
  readonly handler: HttpHandler;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpHandler {
  node(incoming: IncomingMessage, outgoing: ServerResponse): void;
  fetch(request: Request): Promise<Response>;
}
