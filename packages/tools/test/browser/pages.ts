import { createSocket } from "node:dgram";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A server with the pages of these tests. */
export interface Pages extends AsyncDisposable {
  readonly host: string;
  readonly url: string;
  /** Adds a page, or replaces it. */
  set(path: string, html: string, headers?: Readonly<Record<string, string>>, status?: number): void;
  readonly uploads: string[];
}

export async function startPages(): Promise<Pages> {
  const pages = new Map<string, { readonly html: string; readonly headers: Readonly<Record<string, string>>; readonly status: number }>();
  const uploads: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://server");
    if (pathname === "/cookie") return void response.end(`<title>${request.headers.cookie ?? "no cookie"}</title>`);
    if (request.method === "POST") void readAll(request).then((body) => uploads.push(body));
    const page = pages.get(pathname);
    response.writeHead(page?.status ?? 404, { "content-type": "text/html; charset=utf-8", ...page?.headers });
    response.end(page?.html ?? "nothing here");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    uploads,
    set: (path, html, headers = {}, status = 200) => void pages.set(path, { html, headers, status }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A place on this machine that no page may reach; it counts every connection and datagram. */
export interface PrivatePlace extends AsyncDisposable {
  readonly port: number;
  readonly udpPort: number;
  count(): number;
}

export async function startPrivatePlace(): Promise<PrivatePlace> {
  let count = 0;
  const server = createServer((_, response) => void response.end("<title>secret</title>the secret of the machine"));
  server.on("connection", () => count++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const udp = createSocket("udp4").on("message", () => count++);
  await new Promise<void>((resolve) => udp.bind(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    udpPort: udp.address().port,
    count: () => count,
    async [Symbol.asyncDispose]() {
      udp.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of request) body += String(part);
  return body;
}
