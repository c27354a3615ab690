import type { Caller } from "@toolrack/core";
import type { RequestMessage } from "../../wire/message.ts";
import type { ClientCapabilities, Era, JsonObject, LogLevel, RequestId } from "../../wire/protocol.ts";
import { notificationMessage } from "../../wire/reply.ts";
import type { ClientInfo, Exchange } from "../exchange.ts";

export interface StdioExchangeParts {
  readonly era: Era;
  readonly message: RequestMessage;
  readonly caller: Caller;
  readonly principal: string;
  readonly isAnonymous: boolean;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: ClientInfo | undefined;
  readonly logLevel: LogLevel | undefined;
  readonly send: (message: string) => void;
  readonly ask?: (method: string, params: object, signal: AbortSignal) => Promise<unknown>;
}

/** One request over standard input and output: everything goes over the same line. */
export class StdioExchange implements Exchange {
  readonly era: Era;
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly caller: Caller;
  readonly principal: string;
  readonly isAnonymous: boolean;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: ClientInfo | undefined;
  readonly logLevel: LogLevel | undefined;
  readonly request?: (method: string, params: object) => Promise<unknown>;
  readonly #send: (message: string) => void;
  readonly #controller = new AbortController();

  constructor({ era, message, caller, principal, isAnonymous, capabilities, clientInfo, logLevel, send, ask }: StdioExchangeParts) {
    this.era = era;
    this.id = message.id;
    this.method = message.method;
    this.params = message.params;
    this.caller = caller;
    this.principal = principal;
    this.isAnonymous = isAnonymous;
    this.capabilities = capabilities;
    this.clientInfo = clientInfo;
    this.logLevel = logLevel;
    this.#send = send;
    if (ask !== undefined) this.request = (method, params) => ask(method, params, this.signal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }
  notify(method: string, params: object): void {
    this.#send(notificationMessage(method, params));
  }
  cancel(reason: string): void {
    this.#controller.abort(new DOMException(reason, "AbortError"));
  }
  detach(): void {}
  closeStream(): void {}
}
