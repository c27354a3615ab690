import type { MessageOrigin } from "@toolrack/agent";
import { ToolError } from "@toolrack/core";
import { type BreadcrumbDraft, type Session, type SessionMessage, type StoredMessage, toMessageRecord } from "@toolrack/store";
import { Problem } from "../../http/reply/problem.ts";
import type { RouteRequest, SchemaOf } from "../../http/route.ts";
import type { Identity } from "../../http/sign-in/identity.ts";
import type { ShowInput } from "../../rack/calls/shown-input.ts";
import { objectOf } from "../_answers.ts";
import { isOwn } from "./callers.ts";

/** A session or a message, in the form of a record. */
export type SessionRecord = Pick<BreadcrumbDraft, "schema_name" | "title" | "context"> & {
  readonly id: string;
  readonly tags: readonly string[];
};

const text = { type: "string" } as const;
export const sessionRecordSchema: SchemaOf<SessionRecord> = objectOf<SessionRecord>({
  id: text,
  schema_name: { ...text, description: "agent.session.v1, or agent.message.v1 for a message." },
  title: text,
  tags: { type: "array", items: text },
  context: { type: "object", additionalProperties: true },
});

export const bySession = {
  type: "object",
  properties: {
    id: {
      type: "string",
      minLength: 1,
      maxLength: 512,
      description: "The id of a session, with or without the session- of its record, or its key.",
    },
  },
  required: ["id"],
  additionalProperties: false,
} as const;

type Asking = Pick<RouteRequest, "rack" | "identity">;

/** The own sessions; those of others are for admins. */
export function maySee({ rack, identity }: Asking, session: Session): boolean {
  if (identity.roles.has("admin")) return true;
  const starter = rack.agents.starterOf(session);
  return starter !== undefined && isOwn(identity, starter);
}

/** The same answer for a session that does not exist and for one of somebody else. */
export async function demandSession(request: Asking, id: string): Promise<Session> {
  for (const name of new Set([id, unrecorded(id), ownKeyOf(request.identity, id)])) {
    const session = await request.rack.agents.sessions.get(name);
    if (session !== undefined && maySee(request, session)) return session;
  }
  throw new Problem(404, "SESSION_UNKNOWN", `There is no session "${id.slice(0, 100)}". See: toolrack sessions`);
}

/**
 * The session that a caller means by a name: one of its own, or a new one. Names are each caller's own, so that nobody can tell, or take, the
 * names of others. Those of the owner are the keys themselves.
 */
export async function nameSession({ rack, identity }: Asking, agent: string, name: string): Promise<string> {
  const key = name.startsWith("agent:") ? name : `agent:${agent}:${name}`;
  for (const known of new Set([name, unrecorded(name), key, ownKeyOf(identity, key)])) {
    const found = await rack.agents.sessions.get(known);
    const starter = found && rack.agents.starterOf(found);
    if (starter !== undefined && isOwn(identity, starter)) return found!.id;
  }
  if (!key.startsWith(`agent:${agent}:`))
    throw new Problem(
      400,
      "INPUT_INVALID",
      `"${key.slice(0, 100)}" is no key of a session of agent "${agent}". Such a key begins with "agent:${agent}:".`,
    );
  return ownKeyOf(identity, key);
}

/** The session of a record: "session-0mh3" → "0mh3"; any other name → itself. */
function unrecorded(name: string): string {
  return name.startsWith("session-") ? name.slice("session-".length) : name;
}

/** "agent:desk:notes" → "agent:desk:api:direct:key%20anna:notes" */
function ownKeyOf({ roles, principal, caller: { tenant } }: Identity, key: string): string {
  const [, agent, ...rest] = key.split(":");
  if (roles.has("owner") || !key.startsWith("agent:") || rest.length === 0) return key;
  const peer = [...(tenant === undefined ? [] : [tenant]), principal].map(encodeURIComponent).join("/");
  return `agent:${agent}:api:direct:${peer}:${rest.join(":")}`;
}

/** A session that cannot do this now is no fault of the request. */
export function asConflict(error: unknown): never {
  if (ToolError.is(error) && error.code === "BLOCKED") throw new Problem(409, "STATE_INVALID", error.message);
  throw error;
}

/** Where the words of a request come from: a person signs in as the owner or with a token, a program with a key. */
export function originOf({ via, principal, roles }: Identity): MessageOrigin {
  return { kind: roles.has("owner") || via === "token" ? "person" : "agent", id: principal };
}

/** A message; the calls of a model in it have inputs. */
export function toMessage(message: StoredMessage<SessionMessage>, show: ShowInput): SessionRecord {
  const { context, ...record } = toRecord(toMessageRecord(message));
  return { ...record, context: show(context) as SessionRecord["context"] };
}

export function toRecord(draft: BreadcrumbDraft): SessionRecord {
  const { id = "", schema_name, title, tags = [], context } = draft;
  return { id, schema_name, title, tags, context };
}

/** What the loop and the server keep for themselves is left out. */
export function withoutState(session: Session): Session {
  const { state: _, ...shown } = session;
  return shown;
}
