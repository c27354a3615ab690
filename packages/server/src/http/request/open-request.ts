import type { Rack } from "../../rack/rack.ts";
import type { SlotList } from "../../rack/util/slot-list.ts";
import type { Abortable } from "./abortable.ts";
import type { MatchedRequest, RequestServices } from "./services.ts";
import type { Identity } from "../sign-in/identity.ts";
import type { Route, RouteRequest } from "../route.ts";
import type { ServerParts } from "./server-parts.ts";

/** What came in, read and checked. */
export interface CheckedParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A request while it is under way. Whether its client is still there is looked after only where somebody wants to know. */
export class OpenRequest implements RouteRequest {
  readonly identity: Identity;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly trace: unknown;
  readonly #matched: MatchedRequest;
  readonly #services: RequestServices;
  /** Where it is noted for the time when the server closes; streams that have no end of their own are ended first. */
  readonly #slots: SlotList<Abortable>;
  #slot = 0;
  /** And where for the time when what its client signed in with ends. */
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

  header(name: string): string | undefined {
    return this.#matched.request.header(name);
  }

  get wantsEvents(): boolean {
    return this.header("accept")?.includes("text/event-stream") ?? false;
  }

  /** Why it was told to stop, where what its client signed in with ended. */
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

  /** The client went away, its sign-in ended, or the server closes: whoever works for this request is told, once. */
  abort(reason: Error): void {
    if (reason === this.identity.credential?.reason) this.#signInEnd = reason;
    const listeners = this.#listeners ?? [];
    this.end();
    for (const listener of listeners) listener(reason);
  }

  /** It was answered: nobody is told anything any more. */
  end(): void {
    if (this.#listeners === undefined) return;
    this.#listeners = [];
    this.#slots.remove(this, this.#slot);
    this.identity.credential?.remove(this, this.#credentialSlot);
  }
}
