import { sql } from "kysely";
import type { Writes } from "../../engine/engine.ts";
import { compiledOnce } from "../_sql/compiled.ts";
import { headInsert, toHeadRow, toSaved } from "../_sql/writes.ts";
import { type Sql, table } from "../_sql/tables.ts";
import { jsonValues } from "./parts.ts";

/** With what a statement refuses to write: it divides by zero. */
export const refusalState = "22012";

/**
 * Saves records in one statement, with their numbers, revisions, tags and words: other writers wait while it runs. With a channel, it is a
 * transaction of its own: it fails, and writes nothing, where the newest version of a record is another than the one before, and tells the channel.
 */
export function createRecordWriter(db: Sql, channel?: string): Writes["save"] {
  const { position: _, ...columns } = headInsert.columns;
  const names = Object.keys(columns);
  const [ends, revisions, heads] = [table("ends"), table("revisions"), table("breadcrumbs")];
  const [tags, words] = [table("breadcrumb_tags"), table("words")];
  const list = sql.join(names.map((name) => sql.ref(name)));
  const replaced = names
    .filter((name) => name !== "owner" && name !== "id")
    .map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  // The row is read when its turn has come, whatever the statement saw when it began.
  const isUnchanged = channel === undefined ? sql`` : sql`where breadcrumbs.version = excluded.version - 1`;
  const told =
    channel === undefined
      ? sql``
      : sql`, 1 / (case when (select count(*) from placed) = (select count from given) then 1 else 0 end), pg_notify(${sql.lit(channel)}, '')`;
  const save = compiledOnce(db, () =>
    sql<{ readonly number: number }>`
      with given as materialized (select ${"[]"}::json as rows, ${0}::bigint as count),
      taken as (
        update ${ends} as counted set number = counted.number + (select count from given) where counted.name = 'sequence' returning counted.number
      ),
      item as materialized (
        select taken.number - given.count + one.index as sequence, coalesce((one.row ->> 'position')::bigint, taken.number - given.count + one.index) as position,
          one.row, one.row -> 'head' as head, (one.row -> 'head' ->> 0) collate "C" as owner
        from taken, given, json_array_elements(given.rows) with ordinality as one(row, index)
      ),
      revised as (
        insert into ${revisions} (sequence, owner, id, version, type, body)
        select sequence, owner, head ->> 1, (head ->> 2)::bigint, row ->> 'type', head ->> ${sql.lit(names.indexOf("body"))} from item
      ),
      placed as (
        insert into ${heads} (position, ${list}) select position, ${jsonValues(Object.values(columns), "head")} from item
        on conflict (owner, id) do update set ${sql.join(replaced)} ${isUnchanged}
        returning 1
      ),
      untagged as (
        delete from ${tags} using item, json_array_elements_text(item.row -> 'dropped') as gone(tag)
        where breadcrumb_tags.owner = item.owner and breadcrumb_tags.position = item.position and breadcrumb_tags.tag = gone.tag collate "C"
      ),
      tagged as (
        insert into ${tags} (owner, tag, position)
        select item.owner, added.tag, item.position from item, json_array_elements_text(item.row -> 'added') as added(tag)
      ),
      forgotten as (delete from ${words} using item where words.position = item.position and json_array_length(item.row -> 'terms') = 0),
      found as (
        insert into ${words} (position, terms)
        select position, array_to_tsvector(array(select json_array_elements_text(row -> 'terms'))) from item
        where json_array_length(row -> 'terms') > 0
        on conflict (position) do update set terms = excluded.terms
      )
      select number ${told} from taken`.compile(db),
  );
  return async (savings) => {
    if (savings.length === 0) return [];
    const rows = savings.map((saving) => toSaved(saving, 0));
    const given = rows.map(({ change, head, identity, body, terms, droppedTags, addedTags }, index) => {
      const [, ...values] = toHeadRow(head, identity, body);
      return { type: change.type, position: savings[index]!.position ?? null, head: values, dropped: droppedTags, added: addedTags, terms };
    });
    const last = (await save([JSON.stringify(given), rows.length]))[0]!.number;
    return rows.map(({ change }, index) => ({ ...change, sequence: last - rows.length + index + 1 }));
  };
}
