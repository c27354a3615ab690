import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterThisTest } from "@toolrack/testkit/cleanup";

/** A request as a server met it. */
export interface Met {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Buffer | object;
}

export interface Loopback {
  readonly url: string;
  readonly host: string;
  readonly met: Met[];
}

/** A server on 127.0.0.1 that keeps what it met, and answers by a function. */
export async function openLoopback(answer: (met: Met) => Reply = () => ({ body: {} })): Promise<Loopback> {
  const met: Met[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one: Met = { method: request.method!, url: request.url!, headers: request.headers, body: Buffer.concat(chunks) };
      met.push(one);
      const { status = 200, headers = {}, body } = answer(one);
      const isPlain = typeof body === "string" || Buffer.isBuffer(body);
      if (body !== undefined && !isPlain) response.setHeader("content-type", "application/json");
      for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
      response.writeHead(status);
      response.end(body === undefined || isPlain ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, met };
}
