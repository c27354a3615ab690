import type { Rack } from "../../rack/rack.ts";
import type { Roster } from "../../rack/util/slot-list.ts";
import type { Abortable } from "./abortable.ts";
import type { Arrived, Door } from "./request-scope.ts";
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
  readonly #arrived: Arrived;
  readonly #door: Door;
  /** Where it is noted for the time when the server closes; streams that have no end of their own are ended first. */
  readonly #roster: Roster<Abortable>;
  #place = 0;
  /** And where for the time when what its client signed in with ends. */
  #credentialPlace = -1;
  #listeners: ((reason: Error) => void)[] | undefined;
  #controller: AbortController | undefined;
  #signInEnd: Error | undefined;

  constructor(arrived: Arrived, route: Route, door: Door, identity: Identity, { params, query, body }: CheckedParts, trace: unknown) {
    this.#arrived = arrived;
    this.#door = door;
    this.#roster = route.streams === true && route.method === "GET" ? door.feeds : door.open;
    this.identity = identity;
    this.params = params;
    this.query = query;
    this.body = body;
    this.trace = trace;
  }

  get rack(): Rack {
    return this.#door.rack;
  }

  get server(): ServerParts {
    return this.#door.server;
  }

  get method(): string {
    return this.#arrived.request.method;
  }

  header(name: string): string | undefined {
    return this.#arrived.request.header(name);
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
    this.#place = this.#roster.add(this);
    this.#arrived.request.onLeave(() => this.abort(new DOMException("The client went away.", "AbortError")));
    if (this.identity.credential !== undefined) this.#credentialPlace = this.identity.credential.add(this);
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
    this.#roster.remove(this, this.#place);
    this.identity.credential?.remove(this, this.#credentialPlace);
  }
}
