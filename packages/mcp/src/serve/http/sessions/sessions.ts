import { randomBytes } from "node:crypto";
import { isObject, onAbort } from "@toolrack/core/internal";
import { audienceCapability, type ClientCapabilities, type JsonObject } from "../../../wire/protocol.ts";
import type { Signer } from "../../signer.ts";
import type { EventStream } from "../streams/event-stream.ts";
import { createMemorySessionStore } from "./memory-session-store.ts";
import type { SessionStore } from "./session-store.ts";

/** The handshake of a legacy client. It is contained in the signed session id, so a session needs no stored state. */
export interface Session {
  readonly key: string;
  readonly version: string;
  readonly capabilities: ClientCapabilities;
  readonly principal: string;
  readonly expiresAt: number;
}

/** State of a session on this server, created when a feature needs it and removed after a while without use. */
export interface LiveSession {
  /** Resumable streams, by id. */
  readonly streams: Map<string, EventStream>;
  readonly principal: string;
  usedAt: number;
  /** Stops listening to the end of the sign-in. */
  readonly forget: () => void;
}

export interface Sessions {
  /** A new session id. */
  open(version: string, capabilities: unknown, principal: string): string;
  /** Undefined: unknown, expired, ended, or of another principal. */
  read(id: string, principal: string): Session | undefined;
  /** Ends it on every server of the store. */
  end(session: Session): Promise<void>;
  /** Its state on this server, if there is any. */
  peek(session: Session): LiveSession | undefined;
  /** Its state on this server, created if needed. The session ends when `signal` is aborted. */
  live(session: Session, signal?: AbortSignal): LiveSession;
  /** What the servers of these sessions share. */
  readonly store: SessionStore;
  /** How many sessions have state on this server. */
  readonly size: number;
  close(): void;
}

export interface SessionOptions {
  readonly signer: Signer;
  readonly maxAgeMs: number;
  /** How long the state of a session is stored after its last use. */
  readonly idleMs: number;
  /** How many sessions of one principal can have state; the oldest loses its state first. @default 100 */
  readonly perPrincipal?: number;
  /** @default in memory */
  readonly store?: SessionStore;
}

export function createSessions(options: SessionOptions): Sessions {
  const { signer, maxAgeMs, idleMs, perPrincipal = 100, store = createMemorySessionStore({ perPrincipal }) } = options;
  const lives = new Map<string, LiveSession>();
  /** The keys of each principal's lives, the oldest first. */
  const owned = new Map<string, Set<string>>();
  const known = new Map<string, Session>();
  let sweeper: NodeJS.Timeout | undefined;

  function sweep(): void {
    const now = Date.now();
    for (const [key, { usedAt }] of lives) if (usedAt + idleMs <= now) drop(key);
    if (lives.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  function drop(key: string): void {
    const live = lives.get(key);
    if (live === undefined) return;
    live.forget();
    for (const stream of live.streams.values()) stream.giveUp();
    lives.delete(key);
    const own = owned.get(live.principal);
    own?.delete(key);
    if (own?.size === 0) owned.delete(live.principal);
  }

  function end(session: Session): Promise<void> {
    drop(session.key);
    return store.end(session);
  }

  const unsubscribe = store.subscribe((message) => {
    if (message.kind === "end") drop(message.session);
    return false;
  });

  function unseal(id: string): Session | undefined {
    const payload = id.length > 4096 ? undefined : signer.open("session", id);
    if (payload === undefined) return undefined;
    const [key, version, capabilities, principal, expiresAt] = JSON.parse(payload) as [string, string, JsonObject, string, number];
    // Ids of earlier versions held a list of names, which does not say what the client supports: such a client has to initialize again.
    if (!isObject(capabilities)) return undefined;
    const session = { key, version, capabilities, principal, expiresAt };
    if (known.size >= maxKnown) known.clear();
    known.set(id, session);
    return session;
  }

  return {
    open(version, capabilities, principal) {
      const key = randomBytes(18).toString("base64url");
      return signer.seal(
        "session",
        JSON.stringify([key, version, pick(capabilities, storedCapabilities), principal, Date.now() + maxAgeMs]),
      );
    },
    read(id, principal) {
      const session = known.get(id) ?? unseal(id);
      if (session === undefined || session.principal !== principal) return undefined;
      return session.expiresAt <= Date.now() || store.hasEnded(session.key) ? undefined : session;
    },
    end,
    peek: ({ key }) => lives.get(key),
    live(session, signal) {
      const { key, principal } = session;
      let live = lives.get(key);
      if (live === undefined) {
        const own = owned.get(principal);
        if (own !== undefined && own.size >= perPrincipal) drop(own.keys().next().value!);
        if (lives.size >= maxLive) drop(lives.keys().next().value!);
        // If the end cannot be stored, the session is unusable all the same: its credential is no longer accepted.
        const forget = onAbort(signal, () => void end(session).catch(() => undefined));
        lives.set(key, (live = { streams: new Map(), principal, usedAt: 0, forget }));
        owned.set(principal, (owned.get(principal) ?? new Set()).add(key));
        sweeper ??= setInterval(sweep, Math.min(idleMs, 60_000)).unref();
      }
      live.usedAt = Date.now();
      return live;
    },
    store,
    get size() {
      return lives.size;
    },
    close() {
      unsubscribe();
      clearInterval(sweeper);
      for (const key of lives.keys()) drop(key);
    },
  };
}

/** The capabilities that questions and results depend on, and the parts of each that do. */
const storedCapabilities: Readonly<JsonObject> = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
  experimental: { [audienceCapability]: {} },
};

/** Of what a client declares, the objects that are wanted: a session id stays short whatever else is declared. */
function pick(declared: unknown, wanted: Readonly<JsonObject>): JsonObject {
  const kept: JsonObject = {};
  for (const [name, parts] of Object.entries(wanted)) {
    const value = isObject(declared) && Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (isObject(value)) kept[name] = pick(value, parts as JsonObject);
  }
  return kept;
}

const maxKnown = 1000;
const maxLive = 10_000;
