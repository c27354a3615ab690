import type { Writes } from "../engine/engine.ts";
import type { SessionRow } from "../engine/sessions.ts";
import { userMessage } from "./_read.ts";
import { full } from "./_refuse.ts";
import { toInboxMessage, toInboxRow, toMs } from "./_rows.ts";
import type { InboxMessage, MessageOrigin, TakenInbox } from "./session-store.ts";

export interface InboxLimits {
  readonly maxInbox: number;
  readonly maxSessionBytes: number;
}

export interface Arrival {
  readonly content: string;
  readonly from: MessageOrigin;
  readonly source?: string | undefined;
  readonly touched: number;
  /** Absent for the result of a child, which has to arrive. */
  readonly limits?: InboxLimits;
}

/** Puts a message into the inbox of a session that is locked. */
export async function addToInbox(tx: Writes, session: SessionRow, arrival: Arrival): Promise<InboxMessage> {
  const { content, from, source, touched, limits } = arrival;
  const bytes = Buffer.byteLength(userMessage(content, from));
  const inboxBytes = session.inboxBytes + bytes;
  if (limits !== undefined && session.inboxCount >= limits.maxInbox)
    throw full(`${session.inboxCount} messages wait in the inbox of "${session.key}", and no more may. Send again once it has taken some.`);
  if (limits !== undefined && inboxBytes > maxInboxBytes)
    throw full(
      `The messages in the inbox of "${session.key}" would have more than ${maxInboxBytes} bytes. Send again once it has taken some.`,
    );
  const row = toInboxRow(session, content, from, toMs(touched), source);
  await tx.addInboxMessages([row]);
  const marks = { inboxLast: row.place, inboxCount: session.inboxCount + 1, inboxBytes, touched };
  await tx.changeSession(session.owner, session.id, marks);
  return toInboxMessage(row);
}

/** Moves what waits in the inbox of a session that is locked to its messages. */
export async function takeInbox(
  tx: Writes,
  session: SessionRow,
  { touched, limits }: { readonly touched: number; readonly limits: InboxLimits },
): Promise<TakenInbox> {
  if (session.inboxCount === 0) return { taken: [], last: session.last };
  const { owner, id } = session;
  const taken = (await tx.inboxMessages(owner, id)).map(toInboxMessage);
  const bodies = taken.map(({ content, from }) => userMessage(content, from));
  const bytes = checkRoom(session, bodies, limits);
  await tx.addSessionMessages(
    bodies.map((body, index) => ({ owner, session: id, seq: session.last + 1 + index, at: toMs(touched), body })),
  );
  await tx.takeInboxMessages(owner, id, session.inboxLast);
  const last = session.last + bodies.length;
  await tx.changeSession(owner, id, { last, bytes, inboxCount: 0, inboxBytes: 0, touched });
  return { taken, last };
}

/** How many bytes the messages of a session have with these. Throws SESSION_FULL for too many. */
export function checkRoom({ key, bytes }: SessionRow, bodies: readonly string[], { maxSessionBytes }: InboxLimits): number {
  const next = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), bytes);
  if (next <= maxSessionBytes) return next;
  throw full(
    `The messages of the session "${key}" would have ${next} bytes, and at most ${maxSessionBytes} are stored. Begin another session.`,
  );
}

const maxInboxBytes = 16_777_216;
