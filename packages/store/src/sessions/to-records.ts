import type { BreadcrumbDraft } from "../record/breadcrumb.ts";
import { toIso } from "../store/clock.ts";
import type { Session, SessionMessage, StoredMessage } from "./session-store.ts";

/** A session as a record that other systems exchange. It is not stored as one. */
export function toSessionRecord(session: Session): BreadcrumbDraft {
  const { id, key, agent, createdAt, updatedAt, endedAt, last, ...same } = session;
  return {
    id: `session-${id}`,
    schema_name: "agent.session.v1",
    title: session.label ?? key,
    tags: ["agent:session", `status:${session.status}`],
    context: {
      session: id,
      key,
      agent,
      ...same,
      messages: last,
      created_at: toIso(createdAt),
      updated_at: toIso(updatedAt),
      ...(endedAt !== undefined && { ended_at: toIso(endedAt) }),
    },
  };
}

/** A message of a session in the same way, with every field that it was appended with. */
export function toMessageRecord({ session, seq, at, message }: StoredMessage<SessionMessage>): BreadcrumbDraft {
  return {
    id: `message-${session}-${seq}`,
    schema_name: "agent.message.v1",
    title: `Message ${seq} of ${session}`,
    tags: ["agent:message", `session:${session}`, `role:${message.role}`],
    context: { ...message, session, seq, timestamp: toIso(at) },
  };
}
