import type { Connection } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import { didYouMean } from "../print/did-you-mean.ts";
import { safe } from "../print/safe.ts";
import { recordIdOf } from "./_definition.ts";

/** What ids may name. */
export type IdKind = "call" | "program" | "job" | "schedule" | "approval" | "remembered approval" | "key" | "record" | "source";

/**
 * Does something with an id that a person typed. If there is nothing under it, the one id that begins with it is used; several are listed, and
 * for none the nearest name is suggested.
 */
export async function withId<Answer>(
  connection: Connection,
  kind: IdKind,
  given: string,
  use: (id: string) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await use(given);
  } catch (error) {
    if (!(error instanceof CommandError) || error.reason !== "notFound") throw error;
    // Who may not list them gets the answer about the id as it was given.
    const known = await finders[kind](connection, given).catch(() => []);
    const exact = known.filter(({ names }) => names.includes(given));
    const meant = exact.length > 0 ? exact : known.filter(({ names }) => names.some((name) => name.startsWith(given)));
    const [only, ...more] = [...new Set(meant.map(({ id }) => id))];
    // It exists: what is missing is something else, such as a version.
    if (only === given) throw error;
    if (more.length > 0) throw ambiguous(kind, given, [only!, ...more]);
    if (only !== undefined) return use(only);
    const hint = didYouMean(
      given,
      known.map(({ names: [name = ""] }) => name),
    );
    if (hint === "") throw error;
    // After the fact, and before the next step.
    throw withDetail(error, error.message.replace(/\.(?= |$)/, `.${hint}`));
  }
}

function ambiguous(kind: IdKind, given: string, ids: readonly string[]): CommandError {
  const shown = ids.slice(0, maxShown).map((id) => `  ${safe(id)}`);
  const more = ids.length > maxShown ? ["  …"] : [];
  return new CommandError(
    "usage",
    [`"${safe(given)}" begins the id of more than one ${kind}. Write more of it:`, ...shown, ...more].join("\n"),
  );
}

function withDetail({ reason, problem }: CommandError, detail: string): CommandError {
  return new CommandError(reason, detail, problem === undefined ? undefined : { ...problem, detail });
}

const maxShown = 10;

/** An id, and what a person may write for it: the first is what is suggested. */
interface Known {
  readonly id: string;
  readonly names: readonly string[];
}

const finders: Readonly<Record<IdKind, (connection: Connection, given: string) => Promise<readonly Known[]>>> = {
  async call(connection, idPrefix) {
    const { calls } = await connection.ask("GET /calls", { query: { idPrefix, limit: maxShown + 1 } });
    return calls.map(({ callId }) => ({ id: callId, names: [callId] }));
  },
  async program(connection) {
    const { programs } = await connection.ask("GET /programs", { query: { limit: 500 } });
    return programs.map(({ id }) => ({ id, names: [id, id.replace(/^program-/, "")] }));
  },
  async job(connection) {
    const { jobs } = await connection.ask("GET /jobs", { query: { limit: 500 } });
    return jobs.map(({ id }) => ({ id, names: [id] }));
  },
  async schedule(connection) {
    const { schedules } = await connection.ask("GET /schedules", { query: { limit: 500 } });
    return schedules.map(({ id }) => ({ id, names: [id] }));
  },
  async approval(connection) {
    const { waiting, definitions, grants, schedules } = await connection.ask("GET /approvals", { query: { limit: 200 } });
    return [
      ...waiting.map(({ id, callId }) => ({ id, names: [...approvalNames(id), callId] })),
      ...definitions.map(({ id, tool }) => ({ id, names: [id, tool] })),
      ...grants.map(({ id, tool, shownAs }) => ({ id, names: [id, shownAs, tool] })),
      ...schedules.map(({ id, schedule }) => ({ id, names: [id, schedule] })),
    ];
  },
  async "remembered approval"(connection) {
    const { remembered } = await connection.ask("GET /approvals", { query: { limit: 200 } });
    return remembered.map(({ id }) => ({ id, names: approvalNames(id) }));
  },
  async key(connection) {
    const { keys } = await connection.ask("GET /keys");
    return keys.map(({ id }) => ({ id, names: [id] }));
  },
  async source(connection) {
    const { sources } = await connection.ask("GET /sources");
    return sources.map(({ id, kind }) => ({ id, names: [id, sourceNameOf({ id, kind })] }));
  },
  async record(connection, given) {
    const found = await Promise.all([given, recordIdOf(given)].map((prefix) => recordsFrom(connection, prefix)));
    if (found.flat().length > 0) return found.flat();
    const { definitions } = await connection.ask("GET /lifecycle");
    return definitions.map(({ id, name }) => ({ id, names: [name, id] }));
  },
};

/** "mcp:github": the name of a source with its type. */
export function sourceNameOf({ id, kind }: { readonly id: string; readonly kind: string }): string {
  return kind === "built-in" ? id : `${kind.replace(/^mcp-.*$/, "mcp")}:${id}`;
}

function approvalNames(id: string): readonly string[] {
  return [id, id.replace(/^approval-/, "")];
}

/** Records whose ids begin with this. */
async function recordsFrom(connection: Connection, prefix: string): Promise<readonly Known[]> {
  const where = [
    { path: "id", op: "gte", value: prefix },
    { path: "id", op: "lt", value: `${prefix}\uffff` },
  ];
  const { records } = await connection.ask("GET /breadcrumbs", { query: { where: JSON.stringify(where), limit: maxShown + 1 } });
  return records.map(({ id }) => ({ id, names: [id, id.replace(/^tool-def-/, "")] }));
}
