import { readLimited } from "@toolrack/core/internal";
import type { BodyFault, HttpRequest, Reply } from "./exchange.ts";
import { readRequestId } from "../request/request-id.ts";

/** The connection of a web-standard request. */
export interface Connection {
  readonly remoteAddress?: string | undefined;
}

/** A web-standard request, from programs in the same process and tests. */
export class WebRequest implements HttpRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly origin: string;
  readonly remoteAddress: string | undefined;
  readonly #request: Request;
  readonly #host: string;

  constructor(request: Request, { remoteAddress }: Connection) {
    const { pathname, search, origin, host } = new URL(request.url);
    this.id = readRequestId(request.headers.get("x-request-id") ?? undefined);
    this.method = request.method;
    this.path = pathname;
    this.query = search.slice(1);
    this.origin = origin;
    this.remoteAddress = remoteAddress;
    this.#request = request;
    this.#host = host;
  }

  get hasBody(): boolean {
    return this.#request.body !== null;
  }

  header(name: string): string | undefined {
    // A request that was never sent has no Host header; its URL has the host.
    return this.#request.headers.get(name) ?? (name === "host" ? this.#host : undefined);
  }

  headerNames(): readonly string[] {
    return [...this.#request.headers.keys()];
  }

  readBody(maxBytes: number, take: (bytes: Uint8Array) => void, fail: (fault: BodyFault) => void): void {
    readLimited(this.#request.body, maxBytes).then(
      (bytes) => (bytes === undefined ? fail("too-large") : take(bytes)),
      () => fail("broken-off"),
    );
  }

  onLeave(listener: () => void): void {
    const { signal } = this.#request;
    if (signal.aborted) listener();
    else signal.addEventListener("abort", listener, { once: true });
  }

  /** The answer as a web-standard response. */
  async toResponse(reply: Reply): Promise<Response> {
    if ("handler" in reply) {
      const response = await reply.handler.fetch(this.#request);
      for (const [name, value] of Object.entries(reply.headers)) response.headers.set(name, value);
      response.headers.set("x-request-id", this.id);
      return response;
    }
    const { status, headers, body } = reply;
    return new Response(this.method === "HEAD" ? null : (body ?? null), { status, headers: { ...headers, "x-request-id": this.id } });
  }
}
