import { type CompiledQuery, sql } from "kysely";
import type { LinkedLine } from "../../engine/audit.ts";
import { tipOf } from "../../engine/chain.ts";
import type { Note } from "../../engine/notes.ts";
import type { Lease } from "../../engine/presence.ts";
import { lineInsert } from "../_sql/audit.ts";
import { noteInsert } from "../_sql/notes.ts";
import { type Sql, table } from "../_sql/tables.ts";
import { jsonValues } from "./parts.ts";

/** What one statement writes. */
export interface PageRows {
  readonly lines: readonly LinkedLine[];
  readonly lease?: Lease | undefined;
  /** Whose notes they are. */
  readonly owner: string;
  readonly removed: readonly string[];
  readonly saved: readonly Note[];
}

/** `isHeld`: there is no lease, or it is held. `isDone`: everything was written; otherwise nothing was. */
export interface PageOutcome {
  readonly isHeld: boolean;
  readonly isDone: boolean;
}

/**
 * Writes a page of the log in one statement, which is a transaction of its own where none is under way: the database waits for no message
 * between the lock on the counter of lines and the commit. It writes nothing where the lease is not held, and nothing where the chain does not
 * end before the first line. Row locks are taken in the order lease, chain, counter.
 */
export function logPageStatement(db: Sql): CompiledQuery<PageOutcome> {
  const { number: _, ...columns } = lineInsert.columns;
  const [audit, chains, ends] = [table("audit"), table("audit_chains"), table("ends")];
  const [notes, presence] = [table("notes"), table("presence")];
  const names = (some: object) => sql.join(Object.keys(some).map((name) => sql.ref(name)));
  const text = sql.raw('::text collate "C"');
  return sql<PageOutcome>`
    with page as materialized (
      select ${""}::json as lines, ${0}::bigint as count, ${""}${text} as chain, ${0}::bigint as from_place, ${""}::text as from_hash,
        ${0}::bigint as to_place, ${""}::text as to_hash, ${null}${text} as lease_owner, ${null}${text} as lease_name,
        ${""}${text} as owner, ${[]}::text[] collate "C" as removed, ${""}::json as saved
    ),
    lease as materialized (
      select 1 from ${presence}, page where presence.owner = page.lease_owner and presence.name = page.lease_name
      for key share of presence
    ),
    allowed as materialized (select * from page where lease_owner is null or exists (select 1 from lease)),
    moved as (
      insert into ${chains} as known (chain, first_place, first_hash, last_place, last_hash)
      select chain, 0, '', to_place, to_hash from allowed
      where count > 0 and (from_place = 0 or exists (select 1 from ${chains} as own where own.chain = allowed.chain))
      on conflict (chain) do update set last_place = excluded.last_place, last_hash = excluded.last_hash
      where known.last_place = (select from_place from page) and known.last_hash = (select from_hash from page)
      returning 1
    ),
    counter as (
      update ${ends} as counted set number = counted.number + page.count from page
      where counted.name = 'audit-last' and exists (select 1 from moved)
      returning counted.number
    ),
    written as (
      insert into ${audit} (number, ${names(columns)})
      select counter.number - page.count + item.index, ${jsonValues(Object.values(columns), "item.line")}
      from counter, page, json_array_elements(page.lines) with ordinality as item(line, index)
    ),
    done as materialized (select * from allowed where count = 0 or exists (select 1 from counter)),
    gone as (
      delete from ${notes} using done
      where notes.owner = done.owner and notes.kind = 'running' and notes.name = any (done.removed)
    ),
    kept as (
      insert into ${notes} (${names(noteInsert.columns)})
      select ${jsonValues(Object.values(noteInsert.columns), "item.note")} from done, json_array_elements(done.saved) as item(note)
      on conflict (owner, kind, name) do update set holder = excluded.holder, ends_at = excluded.ends_at, body = excluded.body
    )
    select exists (select 1 from allowed) as "isHeld", exists (select 1 from done) as "isDone"`.compile(db);
}

/** The parameters of the statement, in their order. */
export function logPageParameters({ lines, lease, owner, removed, saved }: PageRows): readonly unknown[] {
  const [first] = lines;
  const tip = first === undefined ? { chain: "", place: 0, hash: "" } : tipOf(lines);
  return [
    JSON.stringify(lines.map(([, ...values]) => values)),
    lines.length,
    tip.chain,
    tip.place - lines.length,
    first?.[12] ?? "",
    tip.place,
    tip.hash,
    lease?.owner ?? null,
    lease?.name ?? null,
    owner,
    removed,
    JSON.stringify(saved.map((note) => [note.owner, note.kind, note.name, note.holder, note.endsAt ?? null, note.body])),
  ];
}
