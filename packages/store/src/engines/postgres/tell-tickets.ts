import { type RawBuilder, sql } from "kysely";
import type { TicketChanges, TicketLimit, TicketName, TicketRow } from "../../engine/tickets.ts";
import { compiledFor } from "../_sql/compiled.ts";
import { createTicketWrites, toColumns } from "../_sql/tickets.ts";
import type { SqlParts } from "../_sql/parts.ts";
import { type Sql, table } from "../_sql/tables.ts";

export interface TicketTeller extends Pick<TicketChanges, "replaceTicket" | "removeTicket"> {
  /** False: there is one of its name, or its group has too many. */
  addIfRoom(row: TicketRow, limit: TicketLimit): Promise<boolean>;
}

/** Changes tickets and sends the message about it, each in one statement. */
export function createTicketTeller(db: Sql, parts: SqlParts, channel: string): TicketTeller {
  const text = sql.raw('::text collate "C"');
  const tell = sql`select pg_notify(${sql.lit(channel)}, ${""}) from changed`;
  const is = sql`owner = ${""}${text} and kind = ${""} and name = ${""}${text}`;
  const run = (name: string, query: RawBuilder<unknown>) => compiledFor(db, parts, name, () => query.compile(db));
  const add = run(
    "add a ticket",
    sql`with given as materialized (
        select ${""}${text} as owner, ${""}::text as kind, ${""}${text} as name, ${0}::bigint as version, ${""}${text} as group_name,
          ${""}${text} as holder, ${0}::integer as is_open, ${0}::bigint as created_at, ${0}::bigint as ends_at, ${""}::text as body
      ),
      others as materialized (
        select count(*) as found from ${table("tickets")} as other, given
        where other.owner = given.owner and other.kind = given.kind and other.group_name = given.group_name and other.ends_at > ${0}::bigint
      ),
      changed as (
        insert into ${table("tickets")} (owner, kind, name, version, group_name, holder, is_open, created_at, ends_at, body)
        select given.* from given, others where others.found < ${0}::bigint
        on conflict (owner, kind, name) do nothing
        returning 1
      ) ${tell}`,
  );
  const replace = run(
    "replace a ticket",
    sql`with changed as (
        update ${table("tickets")} set version = ${0}, group_name = ${""}, holder = ${""}, is_open = ${0}, created_at = ${0}, ends_at = ${0},
          body = ${""}
        where ${is} and version = ${0}
        returning 1
      ) ${tell}`,
  );
  const remove = run("remove a ticket", sql`with changed as (delete from ${table("tickets")} where ${is} returning 1) ${tell}`);
  return {
    async addIfRoom(row, { most, now }) {
      return (await add([...Object.values(toColumns(row)), Math.floor(now), most, messageOf(row)])).length > 0;
    },
    async replaceTicket(row, version) {
      const { owner, kind, name, ...changes } = toColumns(row);
      return (await replace([...Object.values(changes), owner, kind, name, version, messageOf(row)])).length > 0;
    },
    async removeTicket(ticket) {
      return (await remove([ticket.owner, ticket.kind, ticket.name, messageOf(ticket)])).length > 0;
    },
  };
}

/** The same inside a transaction, with room that is made for a new one. */
export function createTicketChanges(db: Sql, parts: SqlParts, channel: string): TicketChanges {
  const { replaceTicket, removeTicket } = createTicketTeller(db, parts, channel);
  const { addTicket } = createTicketWrites(db, parts);
  return {
    replaceTicket,
    removeTicket,
    async addTicket(row, limit) {
      const outcome = await addTicket(row, limit);
      if (outcome === "added") await sql`select pg_notify(${channel}, ${messageOf(row)})`.execute(db);
      return outcome;
    },
  };
}

const prefix = "ticket:";

function messageOf({ owner, kind, name }: TicketName): string {
  return `${prefix}${JSON.stringify([owner, kind, name])}`;
}

/** The ticket that a message is about; undefined for any other message: everybody who may connect to the database can send some. */
export function ticketOf(message: string): TicketName | undefined {
  if (!message.startsWith(prefix)) return undefined;
  try {
    const [owner, kind, name] = JSON.parse(message.slice(prefix.length)) as [unknown, TicketName["kind"], unknown];
    if (typeof owner === "string" && (kind === "task" || kind === "wish") && typeof name === "string") return { owner, kind, name };
  } catch {
    // no message of ours
  }
  return undefined;
}
