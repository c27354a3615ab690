import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type Caller, ToolError } from "@toolrack/core";
import { isLoopbackAddress } from "@toolrack/core/internal";

export interface ListenOptions {
  /** @default any free port */
  readonly port?: number;
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** @default "/mcp" */
  readonly path?: string;
  /** Identifies the caller; undefined answers 401. Required to listen on an address that other machines reach. */
  readonly signIn?: (request: IncomingMessage) => Caller | undefined | Promise<Caller | undefined>;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse, caller?: Caller) => void;

/** An HTTP server for one endpoint. Without `signIn` it refuses to listen where other machines reach it. */
export async function listenHttp(answer: Answer, options: ListenOptions = {}): Promise<Listening> {
  const { port = 0, host = "127.0.0.1", path = "/mcp", signIn } = options;
  if (signIn === undefined && host !== "localhost" && !isLoopbackAddress(host)) {
    throw new ToolError(
      "CONFIG_INVALID",
      `Listening on "${host}" opens every tool to everyone who can reach it. Set signIn, or listen on 127.0.0.1.`,
    );
  }
  const { createServer } = await import("node:http"); // it loads an HTTP client as well, which takes newer versions of Node 30 ms
  // As the server of the API has it: a client that pauses for a moment does not send into a connection that is just closed.
  const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    if (pathOf(request.url) !== path) return void response.writeHead(404).end();
    if (signIn === undefined) return answer(request, response);
    answerSignedIn(signIn, request, response, answer);
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  const { port: taken } = server.address() as { port: number };
  return { url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}${path}`, port: taken, close: () => closeServer(server) };
}

function answerSignedIn(
  signIn: NonNullable<ListenOptions["signIn"]>,
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): void {
  const enter = (caller: Caller | undefined): void => {
    if (caller === undefined) response.writeHead(401).end();
    else answer(request, response, caller);
  };
  const fail = (): void => void response.writeHead(500).end();
  try {
    const found = signIn(request);
    if (found instanceof Promise) found.then(enter, fail);
    else enter(found);
  } catch {
    fail();
  }
}

function pathOf(url = "/"): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
