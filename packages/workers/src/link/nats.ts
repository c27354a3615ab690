import { readFile } from "node:fs/promises";
import type { NatsConnection } from "@nats-io/transport-node";
import { ToolError } from "@toolrack/core";
import type { Link } from "./link.ts";
import { added } from "./listeners.ts";

export interface NatsLinkOptions {
  /** "nats://broker.example.com:4222", or several, for a cluster. */
  readonly servers: string | readonly string[];
  /** A file of credentials, as `nsc` writes it: a JWT and a seed. */
  readonly credentials?: string;
  readonly user?: string;
  readonly password?: string;
  /** TLS is used if the broker asks for it; this is for an own certificate authority. */
  readonly ca?: string;
  /**
   * Credentials of the broker's system account. With them a lost worker is told at once; without, after some seconds of silence.
   * Only servers need them.
   */
  readonly system?: { readonly user?: string; readonly password?: string; readonly credentials?: string };
  readonly connectTimeoutMs?: number;
}

/** A link over NATS: subjects, and nothing that is kept. Resolves when the broker has answered. */
export async function natsLink(options: NatsLinkOptions): Promise<Link> {
  const nats = await import("@nats-io/transport-node");
  const connection = await open(nats, options, options);
  const watcher = options.system === undefined ? undefined : await open(nats, options, options.system);
  const connections = new Set<(isConnected: boolean) => void>();
  const gone = new Set<(name: string) => void>();
  let isConnected = true;

  void (async () => {
    for await (const { type } of connection.status()) {
      if (type !== "disconnect" && type !== "reconnect" && type !== "close") continue;
      if (isConnected === (type === "reconnect")) continue;
      isConnected = type === "reconnect";
      for (const listener of connections) listener(isConnected);
    }
  })();
  watcher?.subscribe("$SYS.ACCOUNT.*.DISCONNECT", {
    callback(error, message) {
      if (error !== null) return;
      const name = clientOf(message.string());
      if (name !== undefined) for (const listener of gone) listener(name);
    },
  });
  await watcher?.flush();
  await connection.flush();

  return {
    get name() {
      return `${connection.info!.server_id}.${connection.info!.client_id}`; // another one after each reconnection
    },
    get isConnected() {
      return isConnected && !connection.isClosed();
    },
    maxBytes: connection.info!.max_payload,
    publish(subject, message) {
      // What cannot be sent now is not kept: whoever waits for it is told by the connection.
      if (isConnected && !connection.isClosed()) connection.publish(subject, message);
    },
    subscribe(subject, onMessage) {
      const subscription = connection.subscribe(subject, {
        callback(error, message) {
          if (error === null) onMessage(message.data);
        },
      });
      return () => subscription.unsubscribe();
    },
    onConnection: (listener) => added(connections, listener),
    onGone: (listener) => added(gone, listener),
    async flush() {
      // It rejects where the broker goes away meanwhile; that is told by the connection.
      if (isConnected && !connection.isClosed()) await connection.flush().catch(() => undefined);
    },
    async close() {
      await watcher?.close();
      if (!connection.isClosed()) await connection.close();
    },
  };
}

type Nats = typeof import("@nats-io/transport-node");

async function open(
  nats: Nats,
  options: NatsLinkOptions,
  { user, password, credentials }: NonNullable<NatsLinkOptions["system"]>,
): Promise<NatsConnection> {
  const { servers, ca, connectTimeoutMs = 5_000 } = options;
  try {
    return await nats.connect({
      servers: typeof servers === "string" ? servers : [...servers],
      timeout: connectTimeoutMs,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 200,
      // A broker that was just started may refuse everybody until it knows its accounts again.
      ignoreAuthErrorAbort: true,
      pingInterval: 5_000,
      maxPingOut: 2,
      ...(user !== undefined && { user }),
      ...(password !== undefined && { pass: password }),
      ...(ca !== undefined && { tls: { ca } }),
      ...(credentials !== undefined && { authenticator: nats.credsAuthenticator(await readFile(credentials)) }),
    });
  } catch (error) {
    const where = typeof servers === "string" ? servers : servers.join(", ");
    throw new ToolError(
      "SOURCE_FAILED",
      `The broker at ${where.replaceAll(/\/\/[^@/]*@/g, "//")} cannot be used: ${(error as Error).message}. Check the address, the credentials, and that it runs.`,
      { cause: error },
    );
  }
}

/** The event of the broker → the name of the link that is gone. */
function clientOf(text: string): string | undefined {
  try {
    const { client, server } = JSON.parse(text) as { client?: { id?: unknown }; server?: { id?: unknown } };
    return typeof client?.id === "number" && typeof server?.id === "string" ? `${server.id}.${client.id}` : undefined;
  } catch {
    return undefined;
  }
}
