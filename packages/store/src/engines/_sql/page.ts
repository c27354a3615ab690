import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import { isCurator } from "../../access/actor.ts";
import type { PagePlan } from "../engine.ts";
import type { SqlParts } from "./parts.ts";
import type { Sql, Tables } from "./tables.ts";

type Row = Pick<Selectable<Tables["breadcrumbs"]>, "position" | "body" | "deleted" | "expires_at" | "reads_left">;

type Query = SelectQueryBuilder<Tables & { b: Tables["breadcrumbs"] }, "b", object>;

/**
 * A page of records in the order of their positions. The query walks along one thing that was asked for, already in that order, and looks
 * the rest up for each record, so that it can stop when the page is full. A cross join keeps SQLite from walking the other way round.
 */
export async function readPage(db: Sql, parts: SqlParts, plan: PagePlan): Promise<readonly Row[]> {
  const { actor, after, terms, anyTags, noneTags, schemaName } = plan;
  const { owner } = actor;
  const tags = await rarestFirst(db, owner, plan.allTags);
  const [first] = tags;
  const few = terms.length > 0 && parts.asksForFew ? await readFew(db, parts, terms, after) : undefined;
  const isByWords = terms.length > 0 && few === undefined;
  const way = isByWords ? parts.wordPosition : first !== undefined ? "d.position" : "b.position";
  const along = sql.ref<number>(way);
  let query = start(db, parts, owner, isByWords ? terms : [], first)
    .select(["b.position", "b.body", "b.deleted", "b.expires_at", "b.reads_left"])
    .where("b.owner", "=", owner)
    .where("b.deleted", "=", 0)
    .where(sql<boolean>`${along} > ${after}`)
    .where(({ or, eb }) => or([eb("b.expires_at", "is", null), eb("b.expires_at", ">", Math.floor(plan.now))]));
  const tagged = (wanted: readonly string[]) =>
    db.selectFrom("breadcrumb_tags as t").select("t.position").where("t.owner", "=", owner).where("t.tag", "in", wanted);
  const ofRecord = sql.ref<number>("b.position");

  if (few !== undefined) query = query.where("b.position", "in", few.length === 0 ? [-1] : few);
  for (const tag of isByWords ? tags : tags.slice(1)) {
    query = query.where(({ exists }) => exists(tagged([tag]).where("t.position", "=", ofRecord)));
  }
  if (anyTags.length > 0) {
    const hasOne = tagged(anyTags);
    // Where nothing else leads, these tags do.
    query =
      way === "b.position"
        ? query.where("b.position", "in", hasOne)
        : query.where(({ exists }) => exists(hasOne.where("t.position", "=", ofRecord)));
  }
  if (noneTags.length > 0) query = query.where(({ not, exists }) => not(exists(tagged(noneTags).where("t.position", "=", ofRecord))));
  if (schemaName !== undefined) query = query.where("b.schema_name", "=", schemaName);
  if (!isCurator(actor)) {
    query = query.where(({ or, eb }) =>
      or([
        eb("b.visibility", "=", "public"),
        eb("b.created_by", "=", actor.agent),
        // Whose grants they are is judged where the record is read.
        eb("b.has_grants", "=", 1),
        ...(actor.roles.length > 0 ? [eb("b.visibility", "=", "team")] : []),
      ]),
    );
  }
  return query.orderBy(along).limit(plan.limit).execute();
}

function start(db: Sql, parts: SqlParts, owner: string, terms: readonly string[], tag: string | undefined): Query {
  if (terms.length > 0) {
    const fromWords = db.selectFrom("words").crossJoin("breadcrumbs as b").where(parts.hasWords(terms));
    return fromWords.where("b.position", "=", sql.ref<number>(parts.wordPosition)) as unknown as Query;
  }
  if (tag === undefined) return db.selectFrom("breadcrumbs as b") as unknown as Query;
  const fromTag = db.selectFrom("breadcrumb_tags as d").crossJoin("breadcrumbs as b").where("d.owner", "=", owner).where("d.tag", "=", tag);
  return fromTag.whereRef("b.position", "=", "d.position") as unknown as Query;
}

/** The positions of the records that have these words, where they are few; undefined where they are many. */
async function readFew(db: Sql, parts: SqlParts, terms: readonly string[], after: number): Promise<readonly number[] | undefined> {
  const position = sql.ref<number>(parts.wordPosition);
  const query = db.selectFrom("words").select(position.as("position")).where(parts.hasWords(terms));
  const rows = await query
    .where(sql<boolean>`${position} > ${after}`)
    .limit(enough + 1)
    .execute();
  return rows.length > enough ? undefined : rows.map((row) => row.position);
}

/** Tags by how many records have them; those with many count as equal, since counting on would cost more than it saves. */
async function rarestFirst(db: Sql, owner: string, tags: readonly string[]): Promise<readonly string[]> {
  if (tags.length < 2) return tags;
  const counts = await Promise.all(
    tags.map(async (tag) => {
      const some = db
        .selectFrom("breadcrumb_tags")
        .select("position")
        .where("owner", "=", owner)
        .where("tag", "=", tag)
        .limit(enough)
        .as("some");
      const { count } = await db
        .selectFrom(some)
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return { tag, count: Number(count) };
    }),
  );
  return counts.sort((a, b) => a.count - b.count).map(({ tag }) => tag);
}

/** More than this many are many. */
const enough = 300;
