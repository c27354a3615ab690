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
  /** Finds out who asks; undefined turns the request away with 401. Needed to listen on more than this machine. */
  readonly signIn?: (request: IncomingMessage) => Caller | undefined | Promise<Caller | undefined>;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse, caller?: Caller) => void;

/** A server of its own for one endpoint. Without sign-in it refuses to be reachable from elsewhere. */
export async function listenHttp(answer: Answer, options: ListenOptions = {}): Promise<Listening> {
  const { port = 0, host = "127.0.0.1", path = "/mcp", signIn } = options;
  if (signIn === undefined && host !== "localhost" && !isLoopbackAddress(host)) {
    throw new ToolError(
      "CONFIG_INVALID",
      `Listening on "${host}" opens every tool to whoever reaches it. Give signIn, or listen on 127.0.0.1.`,
    );
  }
  const { createServer } = await import("node:http"); // it brings a client as well, which takes newer Nodes 30 ms to load
  const server = createServer((request, response) => {
    if (pathOf(request.url) !== path) return void response.writeHead(404).end();
    if (signIn === undefined) return answer(request, response);
    admit(signIn, request, response, answer);
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  const { port: taken } = server.address() as { port: number };
  return { url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}${path}`, port: taken, close: () => closeServer(server) };
}

function admit(signIn: NonNullable<ListenOptions["signIn"]>, request: IncomingMessage, response: ServerResponse, answer: Answer): void {
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
