import { type CompiledQuery, sql } from "kysely";
import type { Note, NoteClaims } from "../../engine/notes.ts";
import { compiledOnce } from "../_sql/compiled.ts";
import { type Sql, table } from "../_sql/tables.ts";

/** Claims and settles notes, each in one statement, which is a transaction of its own. */
export function createNoteClaims(db: Sql): NoteClaims {
  const claim = compiledOnce(db, () => claimStatement(db));
  const settle = compiledOnce(db, () => settleStatement(db));
  return {
    async claim(note, { lease, now, most, prefix }) {
      const [outcome] = await claim([
        ...valuesOf(note),
        lease?.owner ?? null,
        lease?.name ?? null,
        Math.floor(now),
        prefix ?? null,
        prefix === undefined ? null : `${prefix}\u007f`,
        most,
      ]);
      return !outcome!.isHeld ? "lost" : outcome!.isClaimed ? "claimed" : "taken";
    },
    async settle(note, holder) {
      const [outcome] = await settle([...valuesOf(note), holder]);
      return outcome!.isSettled;
    },
    async drop({ owner, kind, name }, holder) {
      const query = db.deleteFrom("notes").where("owner", "=", owner).where("kind", "=", kind).where("name", "=", name);
      return (await query.where("holder", "=", holder).returning("name").execute()).length > 0;
    },
  };
}

function valuesOf({ owner, kind, name, holder, endsAt, body }: Note): unknown[] {
  return [owner, kind, name, holder, endsAt === undefined ? null : Math.floor(endsAt), body];
}

/**
 * The lease is looked at before the note is written, and kept until the statement ends: where it is not held, nothing is written. Notes that expired,
 * and those of the caller above its limit, go with a claim that succeeded.
 */
function claimStatement(db: Sql): CompiledQuery<{ readonly isHeld: boolean; readonly isClaimed: boolean }> {
  const [notes, presence] = [table("notes"), table("presence")];
  const text = sql.raw('::text collate "C"');
  return sql<{ isHeld: boolean; isClaimed: boolean }>`
    with given as materialized (
      select ${""}${text} as owner, ${""}${text} as kind, ${""}${text} as name, ${""}${text} as holder, ${0}::bigint as ends_at, ${""}::text as body,
        ${null}${text} as lease_owner, ${null}${text} as lease_name, ${0}::bigint as now, ${null}${text} as first_name, ${null}${text} as last_name,
        ${0}::bigint as most
    ),
    lease as materialized (
      select 1 from ${presence} as held, given where held.owner = given.lease_owner and held.name = given.lease_name for key share of held
    ),
    allowed as materialized (select * from given where lease_owner is null or exists (select 1 from lease)),
    claimed as (
      insert into ${notes} (owner, kind, name, holder, ends_at, body)
      select owner, kind, name, holder, ends_at, body from allowed
      on conflict (owner, kind, name) do nothing
      returning 1
    ),
    surplus as materialized (
      select other.name from ${notes} as other, given
      where other.owner = given.owner and other.kind = given.kind and other.holder = '' and other.ends_at > given.now
        and other.name >= given.first_name and other.name < given.last_name
      order by other.ends_at desc, other.name offset (select most from given)
    ),
    trimmed as (
      delete from ${notes} as old using given
      where exists (select 1 from claimed) and old.owner = given.owner and old.kind = given.kind
        and (old.ends_at <= given.now or old.name in (select name from surplus))
    )
    select exists (select 1 from allowed) as "isHeld", exists (select 1 from claimed) as "isClaimed"`.compile(db);
}

function settleStatement(db: Sql): CompiledQuery<{ readonly isSettled: boolean }> {
  const text = sql.raw('::text collate "C"');
  return sql<{ isSettled: boolean }>`
    with given as materialized (
      select ${""}${text} as owner, ${""}${text} as kind, ${""}${text} as name, ${""}${text} as holder, ${0}::bigint as ends_at, ${""}::text as body,
        ${""}${text} as held_by
    ),
    settled as (
      update ${table("notes")} as old set holder = given.holder, ends_at = given.ends_at, body = given.body from given
      where old.owner = given.owner and old.kind = given.kind and old.name = given.name and old.holder = given.held_by
      returning 1
    )
    select exists (select 1 from settled) as "isSettled"`.compile(db);
}
