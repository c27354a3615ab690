import type { Caller } from "@toolrack/core";
import type { PreparedResult } from "../../wire/reply.ts";
import type { JsonObject, RequestId } from "../../wire/protocol.ts";
import type { EventStream } from "./streams/event-stream.ts";

/** An HTTP request, independent of the server it came in through. */
export interface HttpRequest {
  readonly method: string;
  /** By its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The body, read and within the limit, as it came. */
  readonly body: Uint8Array;
  /** Aborted when the connection closes; requests that share a connection share it. */
  readonly signal: AbortSignal;
}

/** The answer: text, a prepared result, or a stream of events. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
  readonly prepared?: { readonly result: PreparedResult; readonly id: RequestId };
  readonly stream?: EventStream;
  /** For a resumed stream: the last event that the client received. */
  readonly after?: number;
}

/** Takes the answer, once. A function and not a promise, because requests are many and most are answered quickly. */
export type Reply = (answer: HttpAnswer) => void;

/** A request or notification of a client, as it was read. */
export interface SeenMessage {
  readonly method: string;
  /** Absent in a notification. */
  readonly id?: RequestId;
  readonly params: JsonObject;
}

/** The caller, as identified by the sign-in. */
export interface Visitor {
  readonly caller: Caller;
  readonly principal: string;
  readonly isAnonymous: boolean;
  /** Aborted when the sign-in ends. */
  readonly signal?: AbortSignal | undefined;
  /** Told of the message. */
  readonly onMessage?: ((message: SeenMessage) => void) | undefined;
  /** Told when a request has its result. */
  readonly onResult?: ((error: string | undefined) => void) | undefined;
  /** Handed on to the calls. */
  readonly trace?: object | undefined;
  /** The owner of the visitor's sessions. Another key of the same principal is another owner. */
  readonly sessionOwner: string;
}
