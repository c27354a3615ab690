import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";
import { type Connection, connectionOptions } from "./peer.ts";

/** The name of what is spoken over the connection. */
const protocol = "toolrack-worker-1";

/** Why a request cannot become a WebSocket of a worker. Looked at first, so that the server answers as it does everywhere. */
export function handshakeFault({ method, headers }: IncomingMessage): string | undefined {
  if (method !== "GET" || headers.upgrade?.toLowerCase() !== "websocket") return "It is no request for a WebSocket.";
  if (headers["sec-websocket-version"] !== "13") return "It asks for another version of WebSockets than 13.";
  if (!/^[A-Za-z0-9+/]{22}==$/.test(headers["sec-websocket-key"] ?? "")) return "Its Sec-WebSocket-Key is wrong.";
  if (headers["sec-websocket-protocol"] !== protocol)
    return `It does not ask for the protocol "${protocol}". Use a worker of the same version of Toolrack.`;
  return undefined;
}

/** Answers requests without a fault, and gives the WebSocket at once; never, if the other side is gone already. */
export function createAcceptor(
  maxBytes: number,
): (incoming: IncomingMessage, socket: Duplex, onOpen: (connection: Connection) => void) => void {
  const server = new WebSocketServer({ ...connectionOptions(maxBytes), noServer: true, clientTracking: false });
  const nothing = Buffer.alloc(0);
  return (incoming, socket, onOpen) =>
    server.handleUpgrade(incoming, socket, nothing, (websocket) => onOpen({ websocket, socket: incoming.socket }));
}

export interface DialOptions {
  /** "https://tools.example.com/api/v1/workers/link" */
  readonly url: URL;
  readonly token: string;
  /** An own certificate authority. */
  readonly ca?: string | undefined;
  readonly timeoutMs: number;
  /** The longest message that is taken. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Opens a WebSocket, which reads nothing before it has a peer. Rejects with what the server said. */
export async function dial({ url, token, ca, timeoutMs, maxBytes, signal }: DialOptions): Promise<Connection> {
  signal.throwIfAborted();
  const address = new URL(url);
  address.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const websocket = new WebSocket(address, protocol, {
    ...connectionOptions(maxBytes),
    headers: { authorization: `Bearer ${token}` },
    ...(ca !== undefined && { ca }),
  });
  let socket: Connection["socket"] | undefined;
  const abort = new AbortController();
  try {
    return await new Promise<Connection>((resolve, reject) => {
      const give = (error: Error): void => {
        reject(error);
        websocket.terminate();
      };
      const timer = setTimeout(() => give(new Error(`It does not answer within ${timeoutMs} ms.`)), timeoutMs);
      abort.signal.addEventListener("abort", () => clearTimeout(timer));
      signal.addEventListener("abort", () => give(signal.reason as Error), { signal: abort.signal });
      // It is there until the connection is gone: what ends one that is open is told by "close", too.
      websocket.on("error", (error) => reject(isOfNetwork(error) ? error : new Error(`It is no Toolrack server: ${error.message}.`)));
      websocket.on("unexpected-response", (_, answer) => {
        readStart(answer).then((text) => give(new Error(explain(answer.statusCode ?? 0, text))), give);
      });
      websocket.on("upgrade", (answer) => (socket = answer.socket));
      websocket.on("open", () => {
        websocket.pause();
        resolve({ websocket, socket: socket! });
      });
    });
  } finally {
    abort.abort();
  }
}

/** Errors of Node have a code; a wrong answer to the handshake has none. */
function isOfNetwork(error: Error): boolean {
  return "code" in error;
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
