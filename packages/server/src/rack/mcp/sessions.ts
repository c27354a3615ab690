import { createHash } from "node:crypto";
import { type Logger, ToolError } from "@toolrack/core";
import type { SessionMessage, SessionSettings, SessionStore, StoredSession } from "@toolrack/mcp";
import type { Breadcrumb, JsonObject } from "@toolrack/store";
import type { RecordFeed, Records } from "../store/records.ts";
import { createMessageSealer } from "./sealed-messages.ts";

export interface McpSessionsOptions {
  readonly feed: RecordFeed;
  readonly sharedKey: Uint8Array;
  readonly log: Logger;
  /** Sessions of one caller whose settings are stored; the oldest is dropped first. @default 100 */
  readonly maxPerOwner?: number | undefined;
}

/**
 * Sessions of legacy MCP clients, valid on every server of the store. The signed session id holds the session, so neither its start nor a
 * call writes anything; a record is written when a session ends or changes a setting, and for each cancel or answer that arrives at another
 * server than the one that runs the call. That server removes the record.
 */
export function createMcpSessions({ feed, sharedKey, log, maxPerOwner = 100 }: McpSessionsOptions): SessionStore {
  const ends = feed.of("toolrack.mcp-session-end.v1");
  const settings = feed.of("toolrack.mcp-session.v1");
  const messages = feed.of("toolrack.mcp-message.v1");
  const sealer = createMessageSealer(sharedKey);
  const onError = (error: unknown): void => log.error("A message of another server could not be removed.", { error: String(error) });

  const endId = (key: string): string => `mcp-session-end-${key}`;
  const settingsId = (key: string): string => `mcp-session-${key}`;
  const ttlOf = ({ expiresAt }: StoredSession): { readonly at: string } => ({ at: new Date(expiresAt).toISOString() });

  /** The record of its end, read from the store now. */
  async function changeOnce(session: StoredSession, change: (now: SessionSettings) => SessionSettings): Promise<boolean> {
    const id = settingsId(session.key);
    const known = await settings.fetch(id);
    const next = change(toSettings(known));
    const context: JsonObject = { owner: ownerOf(session), ...next };
    if (known !== undefined) return (await settings.replace(known, context, ttlOf(session))) !== undefined;
    const own = ofOwner(settings, session).toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
    for (const oldest of own.slice(0, Math.max(0, own.length - maxPerOwner + 1))) await settings.remove(oldest.id);
    return (await settings.create({ id, title: "What an MCP client set", context, ttl: ttlOf(session) })) !== undefined;
  }

  function read({ id, context }: Breadcrumb): SessionMessage | undefined {
    const text = sealer.open(id, String(context["sealed"]));
    return text === undefined ? undefined : (JSON.parse(text) as SessionMessage);
  }

  return {
    async end(session) {
      if (ends.get(endId(session.key)) !== undefined) return;
      requireRoom(ends, session, { perOwner: maxEndsPerOwner, total: maxEnds, what: "sessions that you ended are remembered" });
      const context = { owner: ownerOf(session), session: session.key };
      await ends.create({ id: endId(session.key), title: "An MCP session that ended", context, ttl: ttlOf(session) });
      if (settings.get(settingsId(session.key)) !== undefined) await settings.remove(settingsId(session.key));
    },
    hasEnded: (key) => ends.get(endId(key)) !== undefined,
    settings: (key) => toSettings(settings.get(settingsId(key))),
    async change(session, change) {
      for (let tries = 0; tries < maxTries; tries++) if (await changeOnce(session, change)) return;
      throw new ToolError("QUEUE_FULL", "Too many requests change this session at the same time. Send them one after another.");
    },
    async tell(session, message) {
      const id = `mcp-message-${idOf(message)}`;
      if (messages.get(id) !== undefined) return;
      requireRoom(messages, session, {
        perOwner: maxMessagesPerOwner,
        total: maxMessages,
        what: "messages of yours to other servers wait",
      });
      const context = { owner: ownerOf(session), sealed: sealer.seal(id, JSON.stringify(message)) };
      await messages.create({ id, title: "From one server to another", context, ttl: { afterMs: messageMs } });
    },
    subscribe(listener) {
      const stopEnds = ends.subscribe((_id, record) => {
        if (record !== undefined) listener({ kind: "end", session: String(record.context["session"]) });
      });
      const stopMessages = messages.subscribe((id, record) => {
        const message = record && read(record);
        if (message !== undefined && listener(message)) messages.remove(id).catch(onError);
      });
      return () => {
        stopEnds();
        stopMessages();
      };
    },
  };
}

const maxTries = 20;
/** How long a message is kept for a server that cannot reach the store. */
const messageMs = 120_000;
const maxEndsPerOwner = 2_000;
const maxEnds = 20_000;
const maxMessagesPerOwner = 1_000;
const maxMessages = 10_000;

/** The owner of a session, hashed. */
function ownerOf({ principal }: StoredSession): string {
  return createHash("sha256").update(principal).digest("base64url");
}

function ofOwner(records: Records, session: StoredSession): readonly Breadcrumb[] {
  const owner = ownerOf(session);
  return [...records.values()].filter(({ context }) => context["owner"] === owner);
}

interface Room {
  readonly perOwner: number;
  readonly total: number;
  readonly what: string;
}

function requireRoom(records: Records, session: StoredSession, { perOwner, total, what }: Room): void {
  const count = ofOwner(records, session).length;
  if (count >= perOwner) throw new ToolError("QUEUE_FULL", `${count} ${what} already. Try again later.`);
  if ([...records.values()].length >= total)
    throw new ToolError("QUEUE_FULL", "Too many messages wait for the other servers. Try again later.");
}

/** The same id for the same cancel or answer, on every server. */
function idOf(message: Exclude<SessionMessage, { kind: "end" }>): string {
  const about = message.kind === "cancel" ? message.request : String(message.response.id);
  return createHash("sha256")
    .update(JSON.stringify([message.kind, message.session, about]))
    .digest("base64url");
}

function toSettings(record: Breadcrumb | undefined): SessionSettings {
  if (record === undefined) return none;
  const { logLevel, uris } = record.context as {
    readonly logLevel?: NonNullable<SessionSettings["logLevel"]>;
    readonly uris?: readonly string[];
  };
  return { ...(logLevel !== undefined && { logLevel }), uris: uris ?? [] };
}

const none: SessionSettings = Object.freeze({ uris: [] });
