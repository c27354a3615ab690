import type { Caller } from "@toolrack/core";
import type { PreparedResult } from "../../wire/reply.ts";
import type { RequestId } from "../../wire/protocol.ts";
import type { EventStream } from "./streams/event-stream.ts";

/** A request over HTTP, whatever it came in through. */
export interface HttpRequest {
  readonly method: string;
  /** By its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The body, read and within the limit, as it came. */
  readonly body: Uint8Array;
  /** Aborted when the connection closes; requests that share a connection share it. */
  readonly signal: AbortSignal;
}

/** What to answer: a text, a prepared result, or a stream of events. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
  readonly prepared?: { readonly result: PreparedResult; readonly id: RequestId };
  readonly stream?: EventStream;
  /** For a stream that is taken up again: the last event that the client saw. */
  readonly after?: number;
}

/** Takes the answer, once. A function and not a promise, because requests are many and most are answered quickly. */
export type Reply = (answer: HttpAnswer) => void;

/** Who asks, as the sign-in found. */
export interface Visitor {
  readonly caller: Caller;
  readonly principal: string;
  readonly isAnonymous: boolean;
  /** Aborted when what the visitor signed in with ends. */
  readonly signal?: AbortSignal | undefined;
  /** Told the method of the message. */
  readonly onMethod?: ((method: string) => void) | undefined;
  /** Handed on to the calls. */
  readonly trace?: object | undefined;
  /** Whose the visitor's sessions are: nobody else's, also not of the same principal with another key. */
  readonly sessionOwner: string;
}
