/** Sends one request to a Toolrack server: over the network, or to an app in this process. Rejects if there is no response. */
export type Send = (request: SentRequest) => Promise<Answered>;

export interface SentRequest {
  readonly method: string;
  /** "/api/v1/tools" */
  readonly path: string;
  /** Without the question mark; "" if there is none. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface Answered {
  readonly status: number;
  readonly contentType: string;
  /** Whether the response is from a Toolrack server, and not from another program at that address. */
  readonly isToolrack: boolean;
  /** By its name in lower case. */
  header(name: string): string | undefined;
  /** The complete body; read either this or `stream`. */
  text(): Promise<string>;
  stream(): ReadableStream<Uint8Array> | undefined;
}
