import { type CallContext, ToolError } from "@toolrack/core";
import type { Embed } from "../operations/embed.ts";
import type { HttpOperations } from "../operations/http.ts";
import type { SqlSession } from "../operations/sql.ts";

/** What the tools of a shop do outside of themselves. */
export interface CommerceOperations {
  /** The session of one call; it says whose rows the call may see. */
  session(context: CallContext): SqlSession | Promise<SqlSession>;
  readonly http: HttpOperations;
  /** Milliseconds since 1970. */
  now(): number;
  /** Absent: `product_lookup` finds products by their words alone. */
  readonly embed?: Embed;
}

/** The session that a call was given: its services, or `sql` among them. */
export function sessionIn({ services }: CallContext): SqlSession {
  for (const candidate of [services, (services as { sql?: unknown } | undefined)?.sql]) if (isSession(candidate)) return candidate;
  throw new ToolError(
    "NEEDS_CONFIGURATION",
    "No database session was provided. Give the registry services: () => createSqliteSession(database, organisation).",
  );
}

function isSession(value: unknown): value is SqlSession {
  if (typeof value !== "object" || value === null) return false;
  const { query, organisation } = value as Partial<SqlSession>;
  return typeof query === "function" && typeof organisation === "string" && organisation !== "";
}
