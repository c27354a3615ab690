import type { Caller } from "@toolrack/core";
import type { ClientCapabilities, Era, JsonObject, LogLevel, RequestId } from "../wire/protocol.ts";

/** One request, and the ways back to its sender. Transports create it; everything behind them knows only this. */
export interface Exchange {
  readonly era: Era;
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly caller: Caller;
  readonly principal: string;
  /** Nobody signed in: everybody who asks is the same caller. */
  readonly isAnonymous: boolean;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: ClientInfo | undefined;
  /** From which level on the client wants to hear what tools log; undefined: nothing. */
  readonly logLevel: LogLevel | undefined;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** Aborted when what the client signed in with ends: the work ends with it, also if it continues without the client. */
  readonly signedIn?: AbortSignal | undefined;
  /** Handed on to calls as their `trace`, over what the message itself says about tracing. */
  readonly trace?: object | undefined;
  /** A header of the request; absent where the transport has none. */
  readonly header?: (name: string) => string | undefined;
  /** The result says that the tool failed: for metrics. */
  readonly toolFailed?: () => void;
  /** Says something ahead of the answer; lost where the client cannot listen. */
  notify(method: string, params: object): void;
  /** Asks the client and waits; absent in the modern era, and where no way leads back. */
  readonly request?: (method: string, params: object) => Promise<unknown>;
  /** Ends the work, as if the client had cancelled it. */
  cancel(reason: string): void;
  /** From here on the work continues without the client. */
  detach(): void;
  /** Ends the stream before the answer; the client fetches what follows, where the era knows that. */
  closeStream(): void;
}

export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}
