/** Carries one request to a Toolrack: over the network, or to an app in this process. Rejects where nobody answers. */
export type Send = (request: SentRequest) => Promise<Answered>;

export interface SentRequest {
  readonly method: string;
  /** "/api/v1/tools" */
  readonly path: string;
  /** What follows the question mark; "" where there is none. */
  readonly query: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface Answered {
  readonly status: number;
  readonly contentType: string;
  /** Whether a Toolrack answered, and not whoever else may listen at the address. */
  readonly isToolrack: boolean;
  /** The whole body; either this or `stream` may be read. */
  text(): Promise<string>;
  stream(): ReadableStream<Uint8Array> | undefined;
}
