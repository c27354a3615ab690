import { createServer, type IncomingMessage, request as makeRequest, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { FetchError } from "@toolrack/fetch";
import type { GuardedConnect } from "./guarded-connect.ts";

/** A forward proxy on this machine: the only way from a browser to anywhere. */
export interface GuardedProxy {
  /** "http://127.0.0.1:34567" */
  readonly url: string;
  /** The sentence for the last refused connection to a host, with its port: "10.0.0.1:80". */
  refusalOf(host: string): string | undefined;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** `maxBytes` is what one connection may bring: a download that never ends would fill the disk, whoever began it. @default 256 MiB */
export async function startProxy(
  connect: GuardedConnect,
  { maxBytes = 268_435_456 }: { readonly maxBytes?: number } = {},
): Promise<GuardedProxy> {
  const refusals = new Map<string, string>();
  const sockets = new Set<Duplex>();
  const hold = <Held extends Duplex>(socket: Held): Held => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    return socket;
  };
  const open = async (url: string, host: string): Promise<Socket> => {
    try {
      return hold(await connect(url));
    } catch (error) {
      if (FetchError.is(error)) {
        if (refusals.size >= maxRefusals) refusals.delete(refusals.keys().next().value!);
        refusals.set(host, error.message);
      }
      throw error;
    }
  };
  const server = createServer((request, response) => void forward(request, response, open, maxBytes));
  server.on("connection", hold);
  // Tunnels: https, and WebSockets of both kinds.
  server.on(
    "connect",
    (request: IncomingMessage, client: Duplex, head: Buffer) => void tunnel(request.url ?? "", client, head, open, maxBytes),
  );
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refusalOf: (host) => refusals.get(host),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const maxRefusals = 200;

type Open = (url: string, host: string) => Promise<Socket>;

async function tunnel(authority: string, client: Duplex, head: Buffer, open: Open, maxBytes: number): Promise<void> {
  client.on("error", () => {}); // the browser may leave at any time
  try {
    const socket = await open(`https://${authority}`, authority);
    socket.on("error", () => client.destroy());
    client.once("close", () => socket.destroy());
    socket.once("close", () => client.destroy());
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    socket.write(head);
    socket.on("data", () => socket.bytesRead > maxBytes && socket.destroy());
    socket.pipe(client).pipe(socket);
  } catch (error) {
    client.end(`HTTP/1.1 ${FetchError.is(error) ? "403 Forbidden" : "502 Bad Gateway"}\r\ncontent-length: 0\r\n\r\n`);
  }
}

async function forward(request: IncomingMessage, response: ServerResponse, open: Open, maxBytes: number): Promise<void> {
  const text = request.url ?? "";
  request.on("error", () => {});
  try {
    const url = new URL(text);
    if (url.protocol !== "http:") throw new FetchError("URL_INVALID", `Only http and https are fetched, not "${url.protocol}".`);
    const socket = await open(text, `${url.hostname}:${url.port || 80}`);
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !hopByHop.has(name)));
    const onward = makeRequest(
      {
        createConnection: () => socket,
        method: request.method,
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, host: url.host, connection: "close" },
      },
      (answer) => {
        answer.on("error", () => response.destroy());
        try {
          response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        } catch {
          // Node reads heads that it does not write: a status of 000, trailers after a body of a known length.
          response.destroy();
          return;
        }
        answer.on("data", () => socket.bytesRead > maxBytes && socket.destroy());
        answer.pipe(response);
      },
    );
    onward.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.once("close", () => socket.destroy());
    request.pipe(onward);
  } catch (error) {
    const refusal = FetchError.is(error) ? error : undefined;
    response.writeHead(refusal === undefined ? 502 : 403, { "content-type": "text/plain; charset=utf-8" });
    response.end(refusal?.message ?? "The host cannot be reached.");
  }
}

const hopByHop: ReadonlySet<string> = new Set(["proxy-connection", "proxy-authorization", "connection", "keep-alive", "te", "upgrade"]);
