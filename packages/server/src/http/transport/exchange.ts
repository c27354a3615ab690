import type { IncomingMessage, ServerResponse } from "node:http";

/** An HTTP request, from a socket of `node:http` or from a program in the same process. */
export interface HttpRequest {
  /** Its id in the log and in the answer; see `readRequestId`. */
  readonly id: string;
  readonly method: string;
  /** As it was sent, without the query: "/api/v1/tools/a%20b". */
  readonly path: string;
  /** The part after the question mark; "" if there is none. */
  readonly query: string;
  /** The server as the client addresses it: "http://localhost:7333". */
  readonly origin: string;
  /** The address of the client; `unixSocket` for a Unix socket; undefined if it is unknown, and then the request does not count as local. */
  readonly remoteAddress: string | undefined;
  readonly hasBody: boolean;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** In lower case. */
  headerNames(): readonly string[];
  /** The problem of a missing or ambiguous host; absent if there is none. */
  hostFault?(): string | undefined;
  /** Whether the connection shows that a proxy made it, also one that adds no header. Absent: it does not. */
  isRelayed?(): boolean | Promise<boolean>;
  /** Reads the body, once. Calls one of the two, once. */
  readBody(maxBytes: number, take: (bytes: Uint8Array) => void, fail: (fault: BodyFault) => void): void;
  /** Calls back if the client disconnects before the answer is finished. Call it once. */
  onLeave(listener: () => void): void;
}

/** Instead of an address: a Unix socket, which only programs of this machine can open. */
export const unixSocket = "unix socket";

export type BodyFault = "too-large" | "broken-off";

/** The whole answer. */
export type Reply = WholeReply | HandedReply;

export interface WholeReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** Another HTTP handler answers the request; these headers are added to its answer. */
export interface HandedReply {
  readonly handler: HttpHandler;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpHandler {
  node(incoming: IncomingMessage, outgoing: ServerResponse): void;
  fetch(request: Request): Promise<Response>;
}
