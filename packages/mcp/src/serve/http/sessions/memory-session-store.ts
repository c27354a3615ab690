import { noSettings, type SessionMessage, type SessionSettings, type SessionStore, type StoredSession } from "./session-store.ts";

export interface MemorySessionStoreOptions {
  /** How many sessions of one principal can have settings; those of the oldest are dropped first. @default 100 */
  readonly perPrincipal?: number;
}

/** For a single server: there are no others to notify. */
export function createMemorySessionStore({ perPrincipal = 100 }: MemorySessionStoreOptions = {}): SessionStore {
  const ended = new Map<string, number>();
  const kept = new Map<string, { readonly session: StoredSession; readonly settings: SessionSettings }>();
  const listeners = new Set<(message: SessionMessage) => boolean>();

  /** The oldest are first, since maps keep the order of insertion. */
  function makeRoomFor({ principal }: StoredSession): void {
    const now = Date.now();
    for (const [key, { session }] of kept) if (session.expiresAt <= now) kept.delete(key);
    const own = [...kept.values()].filter(({ session }) => session.principal === principal);
    if (own.length >= perPrincipal) kept.delete(own[0]!.session.key);
    if (kept.size >= maxKept) kept.delete(kept.keys().next().value!);
  }

  return {
    async end({ key, expiresAt }) {
      kept.delete(key);
      if (ended.size >= maxEnded) ended.delete(ended.keys().next().value!);
      ended.set(key, expiresAt);
      for (const listener of listeners) listener({ kind: "end", session: key });
    },
    hasEnded: (key) => ended.has(key),
    settings: (key) => kept.get(key)?.settings ?? noSettings,
    async change(session, change) {
      const settings = change(kept.get(session.key)?.settings ?? noSettings);
      if (!kept.has(session.key)) makeRoomFor(session);
      kept.set(session.key, { session, settings });
    },
    tell: () => Promise.resolve(),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const maxEnded = 100_000;
const maxKept = 10_000;
