import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a server saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface Loopback extends AsyncDisposable {
  /** "127.0.0.1:34567" */
  readonly host: string;
  readonly url: string;
  readonly seen: Seen[];
}

/** A real server on this machine's own address; `respond` may leave a request without an answer. */
export async function startLoopback(respond: (request: Seen, response: ServerResponse) => void): Promise<Loopback> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const url = new URL(request.url!, "http://server");
      const one = { method: request.method!, path: url.pathname, query: url.searchParams, headers: request.headers, body };
      seen.push(one);
      respond(one, response);
    });
  });
  // A test may stall this process for longer than connections are kept; a client would write to one that is being closed.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
