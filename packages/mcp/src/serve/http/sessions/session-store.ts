import type { ResponseMessage } from "../../../wire/message.ts";
import type { LogLevel } from "../../../wire/protocol.ts";

/** What a store has to know of a session. */
export interface StoredSession {
  readonly key: string;
  /** Whose it is. */
  readonly principal: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What a client set for its session. */
export interface SessionSettings {
  /** The lowest level of log messages that the client wants; absent: none. */
  readonly logLevel?: LogLevel;
  /** The resources that it subscribed to. */
  readonly uris: readonly string[];
}

/** What one server reports to the others about a session. */
export type SessionMessage =
  /** The client cancelled this request. */
  | { readonly kind: "cancel"; readonly session: string; readonly request: string }
  /** The client answered a question; `fault` says why the answer itself could not be sent. */
  | { readonly kind: "answer"; readonly session: string; readonly response: ResponseMessage; readonly fault?: string }
  | { readonly kind: "end"; readonly session: string };

/**
 * The state of legacy sessions that their ids do not contain. Servers that answer for each other share one: then a client may send each
 * request to another server.
 * Contract: what one server writes, the others know a moment later; what is sent twice counts once; nothing outlives `expiresAt`.
 */
export interface SessionStore {
  /** Ends a session on every server. Rejects where that cannot be written. */
  end(session: StoredSession): Promise<void>;
  hasEnded(key: string): boolean;
  settings(key: string): SessionSettings;
  /** Changes the settings from what they are now, whichever server changed them last. Passes on what `change` throws. */
  change(session: StoredSession, change: (now: SessionSettings) => SessionSettings): Promise<void>;
  /** Sends a message to the other servers. Rejects if it cannot be stored. */
  tell(session: StoredSession, message: Exclude<SessionMessage, { kind: "end" }>): Promise<void>;
  /** Gets the messages of other servers, and the end of every session. The listener returns whether the message was for this server. */
  subscribe(listener: (message: SessionMessage) => boolean): () => void;
}

export const noSettings: SessionSettings = Object.freeze({ uris: [] });
