import { afterThisTest } from "@toolrack/testkit/cleanup";
import { hasNats, startNats } from "@toolrack/testkit/nats";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createMemoryBroker, type Identity, type Link } from "../src/index.ts";
import { createHub } from "../src/link/hub.ts";
import { natsLink } from "../src/link/nats.ts";
import { serverLink } from "../src/link/server.ts";

/** A kind of link, and what it is tried with. */
export interface LinkKind {
  readonly name: string;
  readonly isThere: boolean;
  /** A broker for one test; each link is one of its own, closed after the test. */
  open(): Promise<Broker>;
}

export interface Broker {
  /** A link of a server. */
  connect(): Promise<Link>;
  /** A link of the worker with this key. */
  connectWorker(identity: Identity): Promise<Link>;
}

export const linkKinds: readonly LinkKind[] = [
  {
    name: "memory",
    isThere: true,
    async open() {
      const broker = createMemoryBroker();
      const connect = async (): Promise<Link> => closed(broker.connect());
      return { connect, connectWorker: connect };
    },
  },
  {
    name: "nats",
    isThere: hasNats,
    async open() {
      const nats = await startNats();
      afterThisTest(() => nats.stop());
      const connect = async (): Promise<Link> =>
        closed(await natsLink({ servers: nats.url, user: "all", password: "all", system: nats.system }));
      return { connect, connectWorker: connect };
    },
  },
  {
    name: "server",
    isThere: true,
    async open() {
      const { hub, url } = await openHub();
      return {
        connect: async () => closed(hub.connect()),
        connectWorker: async ({ privateKey }) => closed(await serverLink({ url, token: "key", privateKey })),
      };
    },
  },
];

export interface OpenHub {
  readonly hub: ReturnType<typeof createHub>;
  readonly url: string;
  /** Ends every connection at once, as if the network were gone. */
  cut(): void;
}

/** A hub on a port of this machine, which takes every worker into the pool "web". */
export async function openHub(options: Partial<Parameters<typeof createHub>[0]> = {}): Promise<OpenHub> {
  const hub = createHub({ poolsOf: () => ["web"], ...options });
  const sockets = new Set<Socket>();
  const http = createServer((_, answer) => answer.writeHead(404).end());
  http.on("connection", (socket: Socket) => sockets.add(socket));
  http.on("upgrade", (incoming, socket, head) => {
    const fault = hub.faultOf(incoming);
    if (fault !== undefined) return socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
    if (head.length > 0) socket.unshift(head);
    hub.take(incoming, socket);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  afterThisTest(async () => {
    hub.disconnect();
    cut();
    await new Promise((resolve) => http.close(resolve));
  });
  return { hub, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, cut };
}

function closed(link: Link): Link {
  afterThisTest(() => link.close());
  return link;
}
