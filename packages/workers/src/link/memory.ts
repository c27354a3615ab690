import type { Link } from "./link.ts";
import { added } from "./listeners.ts";

export interface MemoryBroker {
  /** A link of this process. */
  connect(): MemoryLink;
}

export interface MemoryLink extends Link {
  /** As if the process behind the link had died: nothing more is sent or received, and the others are told. */
  cut(): void;
  /** As if the network were away, until `restore`. Others are told nothing. */
  suspend(): void;
  restore(): void;
}

/** A broker within one process: for tests, and for workers that are threads of it. */
export function createMemoryBroker({ maxBytes = 1_000_000 }: { readonly maxBytes?: number } = {}): MemoryBroker {
  const links = new Set<MemoryPort>();
  let count = 0;
  return {
    connect() {
      const port = createPort(`memory-${(count += 1)}`, maxBytes, links);
      links.add(port);
      return port.link;
    },
  };
}

interface MemoryPort {
  readonly link: MemoryLink;
  take(subject: string, message: Uint8Array): void;
  tellGone(name: string): void;
}

function createPort(name: string, maxBytes: number, links: Set<MemoryPort>): MemoryPort {
  const subscriptions = new Map<string, Set<(message: Uint8Array) => void>>();
  const connections = new Set<(isConnected: boolean) => void>();
  const gone = new Set<(name: string) => void>();
  let state: "connected" | "suspended" | "closed" = "connected";

  function end(): void {
    if (state === "closed") return;
    state = "closed";
    links.delete(port);
    for (const other of links) queueMicrotask(() => other.tellGone(name));
  }

  function change(to: "connected" | "suspended"): void {
    if (state === "closed" || state === to) return;
    state = to;
    for (const listener of connections) listener(to === "connected");
  }

  const port: MemoryPort = {
    take(subject, message) {
      if (state !== "connected") return;
      for (const listener of subscriptions.get(subject) ?? []) listener(message);
    },
    tellGone(gonePort) {
      if (state === "connected") for (const listener of gone) listener(gonePort);
    },
    link: {
      name,
      maxBytes,
      get isConnected() {
        return state === "connected";
      },
      publish(subject, message) {
        if (state !== "connected") return;
        for (const other of links) queueMicrotask(() => other.take(subject, message));
      },
      subscribe(subject, onMessage) {
        const listeners = subscriptions.get(subject) ?? new Set();
        subscriptions.set(subject, listeners.add(onMessage));
        return () => listeners.delete(onMessage);
      },
      onConnection: (listener) => added(connections, listener),
      onGone: (listener) => added(gone, listener),
      flush: async () => {},
      close: async () => end(),
      cut: end,
      suspend: () => change("suspended"),
      restore: () => change("connected"),
    },
  };
  return port;
}
