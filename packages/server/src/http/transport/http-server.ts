import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import type { SecureContextOptions } from "node:tls";
import { takeUpgrades } from "./upgrades.ts";

/** How long a client may take, in milliseconds. */
export interface HttpTimeouts {
  /** For the headers of a request, and the TLS handshake. @default 30_000 */
  readonly headersMs: number;
  /** For a whole request, body included; at least `headersMs`. @default 45_000 */
  readonly requestMs: number;
  /** How long a connection stays open without a request. @default 30_000 */
  readonly keepAliveMs: number;
}

export const defaultTimeouts: HttpTimeouts = Object.freeze({ headersMs: 30_000, requestMs: 45_000, keepAliveMs: 30_000 });

export interface HttpServerOptions {
  readonly timeouts: HttpTimeouts;
  /** @default no TLS */
  readonly tls?: SecureContextOptions | undefined;
  onRequest(incoming: IncomingMessage, outgoing: ServerResponse): void;
}

export interface HttpServer {
  readonly server: Server;
  /** For new connections from now on; existing ones continue. */
  useCertificate(options: SecureContextOptions): void;
  /** Closes every connection, also idle ones. */
  closeAllConnections(): void;
}

export function createHttpServer({ timeouts, tls, onRequest }: HttpServerOptions): HttpServer {
  const { headersMs, requestMs, keepAliveMs } = timeouts;
  const options: ServerOptions = {
    headersTimeout: headersMs,
    requestTimeout: Math.max(headersMs, requestMs),
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: 2_000,
    joinDuplicateHeaders: true,
  };
  if (tls === undefined) {
    const server = createServer(options, onRequest);
    takeUpgrades(server, onRequest);
    return { server, useCertificate: () => undefined, closeAllConnections: () => server.closeAllConnections() };
  }
  const server = createTlsServer({ ...options, ...tls, handshakeTimeout: headersMs }, onRequest);
  takeUpgrades(server, onRequest);
  // Before the handshake, the HTTP server does not know the connection.
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return {
    server,
    useCertificate: (next) => server.setSecureContext(next),
    closeAllConnections() {
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
    },
  };
}
