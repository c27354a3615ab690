import { type Session, toSessionRecord } from "@toolrack/store";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import type { Agents } from "../rack/agents/agents.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { followSession, type SessionEvent } from "./_follow-session.ts";
import { callerFor } from "./shared/callers.ts";
import {
  asConflict,
  bySession,
  demandSession,
  maySee,
  originOf,
  type SessionRecord,
  sessionRecordSchema,
  toMessage,
  toRecord,
  withoutState,
} from "./shared/sessions.ts";

export type { SessionEvent };

export interface SessionList {
  readonly sessions: readonly SessionRecord[];
  /** The `offset` of the next page. */
  readonly next?: number;
}

export interface SessionMessages {
  readonly messages: readonly SessionRecord[];
  /** For `after` of the next page. */
  readonly next?: number;
}

export interface SessionAnswers {
  "GET /sessions": SessionList;
  "GET /sessions/{id}": SessionRecord;
  "GET /sessions/{id}/messages": SessionMessages;
  "POST /sessions/{id}/messages": SessionRecord;
  "POST /sessions/{id}/cancel": SessionRecord;
  "POST /sessions/{id}/resume": SessionRecord;
}

const whole = { type: "integer" } as const;
const statuses = ["idle", "running", "waiting", "ended"] as const;

const list = defineRoute({
  method: "GET",
  path: "/sessions",
  id: "listSessions",
  group: "sessions",
  summary: "List sessions of agents, the newest first: the own ones; with the role admin, all.",
  isHeavy: true,
  query: {
    type: "object",
    properties: {
      agent: { type: "string", minLength: 1, maxLength: 128 },
      status: { enum: statuses },
      search: { type: "string", minLength: 1, maxLength: 200, description: "A part of the key or the label." },
      limit: { type: "integer", minimum: 1, maximum: 200, default: 50 },
      offset: { type: "integer", minimum: 0, default: 0, description: "See `next`." },
    },
    additionalProperties: false,
  },
  answers: ok(
    "One page; it may have fewer sessions than its limit, and still a next one.",
    objectOf<SessionList>({ sessions: listOf(sessionRecordSchema), next: whole }, ["next"]),
  ),
  async run(request) {
    const { agent, status, search, limit, offset } = request.query;
    const found = await request.rack.agents.sessions.list({
      ...(agent !== undefined && { agent }),
      ...(status !== undefined && { status }),
      ...(search !== undefined && { search }),
      limit,
      offset,
    });
    const sessions = found.filter((session) => maySee(request, session)).map(shown);
    return { body: { sessions, ...(found.length === limit && { next: offset + limit }) } };
  },
});

const show = defineRoute({
  method: "GET",
  path: "/sessions/{id}",
  id: "showSession",
  group: "sessions",
  summary: "Show a session of an agent.",
  params: bySession,
  answers: ok("As a record agent.session.v1, with the budget of a run and what the one that is not over has spent.", sessionRecordSchema),
  run: async (request) => ({ body: withBudget(request.rack.agents, await demandSession(request, request.params.id)) }),
});

const messages = defineRoute({
  method: "GET",
  path: "/sessions/{id}/messages",
  id: "listSessionMessages",
  group: "sessions",
  summary: "Read the messages of a session, the oldest first; as server-sent events, follow the session and what its model says.",
  streams: true,
  params: bySession,
  query: {
    type: "object",
    properties: {
      after: { type: "integer", minimum: 0, default: 0, description: "Only messages with a greater number." },
      limit: { type: "integer", minimum: 1, maximum: 1_000, default: 200 },
    },
    additionalProperties: false,
  },
  answers: ok(
    "Records agent.message.v1. Where each comes from is written by the server.",
    objectOf<SessionMessages>({ messages: listOf(sessionRecordSchema), next: whole }, ["next"]),
  ),
  async run(request) {
    const { rack, params, query, signal } = request;
    const { id } = await demandSession(request, params.id);
    const after = Number(request.header("last-event-id") ?? query.after);
    if (request.wantsEvents) {
      const from = Number.isSafeInteger(after) ? after : query.after;
      const { agents, showInput } = rack;
      return { events: followSession(agents, { id, after: from, signal, showInput, show: (session) => withBudget(agents, session) }) };
    }
    const found = await rack.agents.sessions.messages(id, { after: query.after, limit: query.limit });
    const next = found.length === query.limit ? found.at(-1)?.seq : undefined;
    return { body: { messages: found.map((one) => toMessage(one, rack.showInput)), ...(next !== undefined && { next }) } };
  },
});

const send = defineRoute({
  method: "POST",
  path: "/sessions/{id}/messages",
  id: "sendToSession",
  group: "sessions",
  summary: "Say something to a session: its run reads it between two turns, and a session without one is woken.",
  params: bySession,
  body: {
    type: "object",
    properties: { content: { type: "string", minLength: 1, maxLength: 1_000_000 } },
    required: ["content"],
    additionalProperties: false,
  },
  answers: { 202: { description: "The message is in the inbox of the session.", schema: sessionRecordSchema } },
  async run(request) {
    const { rack, identity, params, body } = request;
    const { id } = await demandSession(request, params.id);
    await rack.agents.send(id, body.content, originOf(identity));
    return { status: 202, body: shown(await demandSession(request, id)) };
  },
});

const cancel = defineRoute({
  method: "POST",
  path: "/sessions/{id}/cancel",
  id: "cancelSession",
  group: "sessions",
  summary: "End the run of a session, on whichever server it is. Resume it, or say something to it, and it goes on.",
  params: bySession,
  answers: ok("The session as it is now.", sessionRecordSchema),
  async run(request) {
    const { rack, identity, params } = request;
    const { id, key } = await demandSession(request, params.id);
    await rack.agents.cancel(id, `"${identity.agent}" cancelled the run.`);
    await rack.audit({ kind: "session-cancelled", subject: key, by: identity, body: { session: id } });
    return { body: shown(await demandSession(request, id)) };
  },
});

const resume = defineRoute({
  method: "POST",
  path: "/sessions/{id}/resume",
  id: "resumeSession",
  group: "sessions",
  summary: "Go on with a session whose last run was cut off or stopped, with a new budget, and without saying anything to it.",
  params: bySession,
  answers: { 202: { description: "The session runs.", schema: sessionRecordSchema } },
  async run(request) {
    const { rack, identity, params } = request;
    const { id, key } = await demandSession(request, params.id);
    await rack.agents.resume(id, { caller: callerFor(request), from: originOf(identity) }).catch(asConflict);
    await rack.audit({ kind: "session-resumed", subject: key, by: identity, body: { session: id } });
    return { status: 202, body: shown(await demandSession(request, id)) };
  },
});

export const sessionRoutes: RoutesOf<SessionAnswers> = [list, show, messages, send, cancel, resume];

function shown(session: Session): SessionRecord {
  return toRecord(toSessionRecord(withoutState(session)));
}

/** What limits each run of the session, what the run that is not over has spent, and whether a limit ended the last one. */
function withBudget(agents: Agents, session: Session): SessionRecord {
  const { context, ...record } = shown(session);
  const budget = agents.list().find(({ id }) => id === session.agent)?.budget;
  const run = session.state?.["run"] as { readonly spent?: unknown; readonly isUnfinished?: boolean } | undefined;
  return {
    ...record,
    context: {
      ...context,
      ...(budget !== undefined && { budget }),
      ...(run?.spent !== undefined && { spent: run.spent }),
      ...(run?.isUnfinished === true && { isUnfinished: true }),
    },
  };
}
