import type { Rack } from "../rack/rack.ts";
import type { Door } from "./door.ts";
import type { Identity } from "./identity.ts";
import type { Route, RouteRequest } from "./route.ts";
import type { ServerParts } from "./server-parts.ts";

/** What came in, read and checked. */
export interface CheckedParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A request while it is under way. Its signal is made when somebody looks at it, since most routes never do. */
export class OpenRequest implements RouteRequest {
  readonly identity: Identity;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly trace: unknown;
  readonly #request: Request;
  readonly #door: Door;
  readonly #isFeed: boolean;
  #controller: AbortController | undefined;

  constructor(request: Request, route: Route, door: Door, identity: Identity, { params, query, body }: CheckedParts, trace: unknown) {
    this.#request = request;
    this.#door = door;
    this.#isFeed = route.streams === true && route.method === "GET";
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

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  get wantsEvents(): boolean {
    return this.#request.headers.get("accept")?.includes("text/event-stream") ?? false;
  }

  get signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal;
    const controller = (this.#controller = new AbortController());
    const client = this.#request.signal;
    if (client.aborted) controller.abort(client.reason);
    else client.addEventListener("abort", () => controller.abort(client.reason), { once: true });
    this.#all.add(controller);
    return controller.signal;
  }

  get #all(): Set<AbortController> {
    return this.#isFeed ? this.#door.feeds : this.#door.open;
  }

  /** It is over. `abort` tells whoever still works for it to stop. */
  end({ abort }: { readonly abort: boolean }): void {
    if (this.#controller === undefined) return;
    this.#all.delete(this.#controller);
    if (abort) this.#controller.abort(new DOMException("The client went away.", "AbortError"));
  }
}
