import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** The name of what is spoken over the connection. */
const protocol = "toolrack-worker-1";

/** Why a request cannot become a WebSocket. */
export function handshakeFault({ method, headers }: IncomingMessage): string | undefined {
  if (method !== "GET" || headers.upgrade?.toLowerCase() !== "websocket") return "It is no request for a WebSocket.";
  if (headers["sec-websocket-version"] !== "13") return "It asks for another version of WebSockets than 13.";
  if (!/^[A-Za-z0-9+/]{22}==$/.test(headers["sec-websocket-key"] ?? "")) return "Its Sec-WebSocket-Key is wrong.";
  if (headers["sec-websocket-protocol"] !== protocol)
    return `It does not ask for the protocol "${protocol}". Use a worker of the same version of Toolrack.`;
  return undefined;
}

/** Answers a request without a fault: from then on the socket carries frames. */
export function acceptHandshake(incoming: IncomingMessage, socket: Duplex): void {
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${answerTo(incoming.headers["sec-websocket-key"]!)}`,
    `Sec-WebSocket-Protocol: ${protocol}`,
  ];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
}

export interface DialOptions {
  /** "https://tools.example.com/api/v1/workers/link" */
  readonly url: URL;
  readonly token: string;
  /** An own certificate authority. */
  readonly ca?: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Opens a connection and asks for a WebSocket. Rejects with what the server said. */
export async function dial({ url, token, ca, timeoutMs, signal }: DialOptions): Promise<Duplex> {
  const { request } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
  const key = randomBytes(16).toString("base64");
  return new Promise<Duplex>((resolve, reject) => {
    const asked = request(url, {
      signal,
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": key,
        "sec-websocket-protocol": protocol,
        authorization: `Bearer ${token}`,
      },
      ...(ca !== undefined && { ca }),
    });
    const timer = setTimeout(() => asked.destroy(new Error(`It does not answer within ${timeoutMs} ms.`)), timeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    asked.on("error", fail);
    asked.on("response", (answer) => {
      readStart(answer).then((text) => fail(new Error(explain(answer.statusCode ?? 0, text))), fail);
    });
    asked.on("upgrade", (answer, socket, head) => {
      clearTimeout(timer);
      asked.off("error", fail);
      if (answer.headers["sec-websocket-accept"] !== answerTo(key)) {
        socket.destroy();
        return reject(new Error("It is no Toolrack server: its answer to the request for a WebSocket is wrong."));
      }
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asked.end();
  });
}

async function readStart(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of answer) {
    text += String(piece);
    if (text.length > 20_000) break;
  }
  return text;
}

function explain(status: number, text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown };
    if (typeof detail === "string") return `${detail.slice(0, 500)} (${status})`;
  } catch {
    // no answer of a Toolrack server
  }
  return `It answers ${status} instead of opening a WebSocket. Check that it is a Toolrack server, and that proxies pass WebSockets on.`;
}

function answerTo(key: string): string {
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}
