import type { Caller } from "@toolrack/core";
import type { RequestMessage } from "../../wire/message.ts";
import type { ClientCapabilities, Era, JsonObject, LogLevel, RequestId } from "../../wire/protocol.ts";
import { notificationMessage } from "../../wire/reply.ts";
import type { ClientInfo, Exchange } from "../exchange.ts";
import type { EventStream } from "./streams/event-stream.ts";
import type { HttpRequest, Visitor } from "./http.ts";

/** The parts of an exchange, once era and client are known. */
export interface ExchangeParts {
  readonly era: Era;
  readonly message: RequestMessage;
  readonly http: HttpRequest;
  readonly visitor: Visitor;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: ClientInfo | undefined;
  readonly logLevel: LogLevel | undefined;
  /** The session that the caller of a legacy request is in. */
  readonly session?: string;
  /** Undefined: the client reads no streams. */
  readonly openStream: (() => EventStream) | undefined;
  /** Whether such a stream can be resumed. */
  readonly canResume?: boolean;
  /** Whether the call can end before its connection does, or outlive it. */
  readonly hasOwnEnd: boolean;
  readonly ask?: (method: string, params: object, exchange: HttpExchange) => Promise<unknown>;
}

/** One POST request. Its answer is JSON, or a stream if a message is sent before the result. */
export class HttpExchange implements Exchange {
  readonly era: Era;
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly caller: Caller;
  readonly request?: (method: string, params: object) => Promise<unknown>;
  /** Told when there is an answer. */
  onEnd: (() => void) | undefined = undefined;
  stream: EventStream | undefined = undefined;
  readonly #parts: ExchangeParts;
  #controller: AbortController | undefined;
  /** Listens to the connection, while there is no answer. */
  #onClose: (() => void) | undefined;
  #onStream: ((stream: EventStream) => void) | undefined;
  #isDetached = false;
  #isOver = false;
  #hasFailedTool = false;

  constructor(parts: ExchangeParts) {
    const { era, message, visitor, session, ask } = parts;
    this.#parts = parts;
    this.era = era;
    this.id = message.id;
    this.method = message.method;
    this.params = message.params;
    this.caller = session === undefined || visitor.caller.session !== undefined ? visitor.caller : { ...visitor.caller, session };
    if (ask !== undefined && parts.openStream !== undefined) this.request = (method, params) => ask(method, params, this);
  }

  get principal(): string {
    return this.#parts.visitor.principal;
  }
  get isAnonymous(): boolean {
    return this.#parts.visitor.isAnonymous;
  }
  get signedIn(): AbortSignal | undefined {
    return this.#parts.visitor.signal;
  }
  get capabilities(): ClientCapabilities {
    return this.#parts.capabilities;
  }
  get clientInfo(): ClientInfo | undefined {
    return this.#parts.clientInfo;
  }
  get logLevel(): LogLevel | undefined {
    return this.#parts.logLevel;
  }
  get trace(): object | undefined {
    return this.#parts.visitor.trace;
  }
  get header(): (name: string) => string | undefined {
    return this.#parts.http.header;
  }

  get signal(): AbortSignal {
    const { http, hasOwnEnd } = this.#parts;
    if (!hasOwnEnd) return http.signal;
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (http.signal.aborted) this.#controller.abort(http.signal.reason);
      else http.signal.addEventListener("abort", (this.#onClose = () => this.#clientWent()));
    }
    return this.#controller.signal;
  }

  /** The request is answered: later messages are dropped. */
  end(error: string | undefined = this.#hasFailedTool ? "tool_error" : undefined): void {
    if (!this.#isOver) this.#parts.visitor.onResult?.(error);
    this.#isOver = true;
    if (this.#onClose !== undefined) this.#parts.http.signal.removeEventListener("abort", this.#onClose);
    this.onEnd?.();
  }

  /** Tells when the answer has become a stream, also if that was before. */
  whenStreaming(listener: (stream: EventStream) => void): void {
    if (this.stream === undefined) this.#onStream = listener;
    else listener(this.stream);
  }

  toolFailed(): void {
    this.#hasFailedTool = true;
  }

  notify(method: string, params: object): void {
    this.sendAhead(notificationMessage(method, params));
  }

  sendAhead(message: string): void {
    this.openStream()?.send(message);
  }

  /** Makes the answer a stream; undefined: the client reads none. */
  openStream(): EventStream | undefined {
    if (this.stream === undefined && !this.#isOver && this.#parts.openStream !== undefined) {
      this.stream = this.#parts.openStream();
      this.#onStream?.(this.stream);
    }
    return this.stream;
  }

  /** A stream that can be taken up again outlives its connection, but not the sign-in. */
  #clientWent(): void {
    const { http, visitor } = this.#parts;
    if (visitor.signal?.aborted === true) return this.cancel((http.signal.reason as Error).message);
    if (!this.#isDetached && (this.stream === undefined || this.#parts.canResume !== true)) this.cancel("The client went away.");
  }

  /** The stream has no reader, and cannot be resumed. */
  streamWent(): void {
    if (!this.#isDetached) this.cancel("The client went away.");
  }

  cancel(reason: string): void {
    // Also if the signal was not read yet.
    if (!this.#isOver) void this.signal;
    this.#controller?.abort(new DOMException(reason, "AbortError"));
  }

  detach(): void {
    this.#isDetached = true;
  }

  closeStream(): void {
    if (this.#parts.canResume === true) this.openStream()?.closeConnection();
  }
}
