import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/**
 * Hands requests for a WebSocket to the same place as all others, with an answer that is written to the connection or gives it away. Any other
 * upgrade, such as that to HTTP/2 which some clients offer with each first request, is not taken: the request is read again without it.
 */
export function takeUpgrades(server: Server, onRequest: (incoming: IncomingMessage, outgoing: ServerResponse) => void): void {
  server.on("upgrade", (incoming: IncomingMessage, connection: Duplex, head: Buffer) => {
    const socket = connection as Socket;
    // No second answer can begin on a connection before the first has ended, and nothing after this request can be read.
    if (isAnswering(socket)) return void socket.destroy();
    const { method, headers } = incoming;
    const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
    if (method !== "GET" || hasBody || headers.upgrade?.toLowerCase() !== "websocket") {
      socket.unshift(Buffer.concat([withoutUpgrade(incoming), head]));
      server.emit("encrypted" in socket ? "secureConnection" : "connection", socket);
      return;
    }
    if (head.length > 0) socket.unshift(head);
    onRequest(incoming, answerOver(incoming, socket));
  });
}

/** Whether an answer to an earlier request of the connection goes on. Node itself knows it by this alone. */
function isAnswering(socket: Socket & { readonly _httpMessage?: ServerResponse | null }): boolean {
  return (socket._httpMessage ?? undefined) !== undefined;
}

function answerOver(incoming: IncomingMessage, socket: Socket): ServerResponse {
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  // From here on it emits "close" when the connection ends.
  outgoing.assignSocket(socket);
  socket.on("error", () => void socket.destroy());
  // As the server does it for an answer of its own; an answer that gave the connection away emits "close" by itself.
  outgoing.once("finish", () => {
    outgoing.detachSocket(socket);
    socket.end();
    process.nextTick(() => outgoing.emit("close"));
  });
  return outgoing;
}

/** The head of the request as it was sent, without what asks for another protocol. */
function withoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index]!, rawHeaders[index + 1]!];
    const known = name.toLowerCase();
    if (known === "upgrade" || known === "http2-settings") continue;
    if (known !== "connection") lines.push(`${name}: ${value}`);
    else {
      const kept = value.split(",").filter((token) => !/^\s*(upgrade|http2-settings)\s*$/i.test(token));
      if (kept.length > 0) lines.push(`${name}: ${kept.join(",")}`);
    }
  }
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}
