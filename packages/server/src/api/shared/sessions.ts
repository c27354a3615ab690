import type { MessageOrigin } from "@toolrack/agent";
import type { BreadcrumbDraft, Session } from "@toolrack/store";
import { Problem } from "../../http/reply/problem.ts";
import type { RouteRequest, SchemaOf } from "../../http/route.ts";
import type { Identity } from "../../http/sign-in/identity.ts";
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
  properties: { id: { type: "string", minLength: 1, maxLength: 512, description: "The id of a session, or its key." } },
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
  const session = await request.rack.agents.sessions.get(id);
  if (session !== undefined && maySee(request, session)) return session;
  throw new Problem(404, "SESSION_UNKNOWN", `There is no session "${id.slice(0, 100)}". See: toolrack sessions`);
}

/** Where the words of a request come from: a person signs in as the owner or with a token, a program with a key. */
export function originOf({ via, principal, roles }: Identity): MessageOrigin {
  return { kind: roles.has("owner") || via === "token" ? "person" : "agent", id: principal };
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
