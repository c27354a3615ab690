// The public names of @toolrack/agent, one by one.

export { SessionError, type SessionErrorCode } from "./errors.ts";
export { createMemorySessions, type MemorySessionsOptions } from "./memory-sessions.ts";
export type { AssistantMessage, Message, MessageOrigin, RawItems, SummaryMessage, ToolMessage, Usage, UserMessage } from "./message.ts";
export type { Model, ModelEnd, ModelEvent, ModelFailure, ModelRequest, StopReason } from "./model.ts";
export type {
  InboxMessage,
  NewSession,
  Session,
  SessionFilter,
  SessionKind,
  SessionLease,
  SessionPatch,
  SessionStatus,
  SessionStore,
  StoredMessage,
} from "./sessions.ts";
