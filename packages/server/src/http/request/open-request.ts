import type { Rack } from "../../rack/rack.ts";
import type { SlotList } from "../../rack/util/slot-list.ts";
import type { Abortable } from "./abortable.ts";
import type { MatchedRequest, RequestServices } from "./services.ts";
import type { Identity } from "../sign-in/identity.ts";
import type { Route, RouteRequest } from "../route.ts";
import type { ServerParts } from "./server-parts.ts";

/** The validated parts of a request. */
export interface CheckedParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A running request. A disconnect of its client is observed only if somebody listens for it. */
export class OpenRequest implements RouteRequest {
  readonly identity: Identity;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly trace: unknown;
  readonly #matched: MatchedRequest;
  readonly #services: RequestServices;
  /** The list that is aborted when the server closes; endless streams are ended first. */
  readonly #slots: SlotList<Abortable>;
  #slot = 0;
  /** Its slot in the list of its credential. */
  #credentialSlot = -1;
  #listeners: ((reason: Error) => void)[] | undefined;
  #controller: AbortController | undefined;
  #signInEnd: Error | undefined;

  constructor(
    matched: MatchedRequest,
    route: Route,
    services: RequestServices,
    identity: Identity,
    { params, query, body }: CheckedParts,
    trace: unknown,
  ) {
    this.#matched = matched;
    this.#services = services;
    this.#slots = route.streams === true && route.method === "GET" ? services.feeds : services.open;
    this.identity = identity;
    this.params = params;
    this.query = query;
    this.body = body;
    this.trace = trace;
  }

  get rack(): Rack {
    return this.#services.rack;
  }

  get server(): ServerParts {
    return this.#services.server;
  }

  get method(): string {
    return this.#matched.request.method;
  }

  get origin(): string {
    return this.#services.publicOrigin ?? this.#matched.request.origin;
  }

  header(name: string): string | undefined {
    return this.#matched.request.header(name);
  }

  get wantsEvents(): boolean {
    return this.header("accept")?.includes("text/event-stream") ?? false;
  }

  /** Why it was aborted, if its credential ended. */
  get signInEnd(): Error | undefined {
    return this.#signInEnd;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = (this.#controller = new AbortController());
      this.onGone((reason) => controller.abort(reason));
    }
    return this.#controller.signal;
  }

  onGone(listener: (reason: Error) => void): void {
    if (this.#listeners !== undefined) {
      this.#listeners.push(listener);
      return;
    }
    this.#listeners = [listener];
    this.#slot = this.#slots.add(this);
    this.#matched.request.onLeave(() => this.abort(new DOMException("The client went away.", "AbortError")));
    if (this.identity.credential !== undefined) this.#credentialSlot = this.identity.credential.add(this);
  }

  /** Called when the client disconnected, its credential ended, or the server closes: notifies the work once. */
  abort(reason: Error): void {
    if (reason === this.identity.credential?.reason) this.#signInEnd = reason;
    const listeners = this.#listeners ?? [];
    this.end();
    for (const listener of listeners) listener(reason);
  }

  /** It was answered: no more notifications. */
  end(): void {
    if (this.#listeners === undefined) return;
    this.#listeners = [];
    this.#slots.remove(this, this.#slot);
    this.identity.credential?.remove(this, this.#credentialSlot);
  }
}
