import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import { isCurator } from "../../access.ts";
import { toTerms } from "../../record/terms.ts";
import type { PagePlan } from "../../engine/engine.ts";
import { lookAround, positionsByWords, type WordSearch } from "./by-words.ts";
import type { SqlParts, WordTerm } from "./parts.ts";
import { type Sql, table, type Tables } from "./tables.ts";

type Row = Pick<Selectable<Tables["breadcrumbs"]>, "position" | "body" | "deleted" | "expires_at" | "reads_left">;

type Query = SelectQueryBuilder<Tables & { b: Tables["breadcrumbs"] }, "b", object>;

/** What a query walks along, already in the order of positions; the rest is looked up for each record, so that it can stop early. */
type Lead =
  | { readonly by: "records" }
  | { readonly by: "tag"; readonly tag: string }
  | { readonly by: "positions"; readonly positions: readonly number[] };

/** A page of records in the order of their positions. */
export async function readPage(db: Sql, parts: SqlParts, plan: PagePlan): Promise<readonly Row[]> {
  const { terms, allTags } = plan;
  if (terms.length > 0) return readPageByWords(db, parts, plan);
  const [tag] = allTags.length < 2 ? allTags : (await countTags(db, plan)).map((counted) => counted.tag);
  return readAlong(db, parts, plan, tag === undefined ? { by: "records" } : { by: "tag", tag });
}

async function readPageByWords(db: Sql, parts: SqlParts, plan: PagePlan): Promise<readonly Row[]> {
  const { limit, after, allTags } = plan;
  const found: Row[] = [];
  const search: WordSearch = { terms: toWordTerms(plan), after, need: () => limit - found.length };
  const look = await lookAround(db, parts, search);
  if (allTags.length > 0 && search.terms.some((term) => term.isWhole && !look.common.has(term))) {
    const [rarest] = await countTags(db, plan);
    if (rarest!.count < enough) return readAlong(db, parts, plan, { by: "tag", tag: rarest!.tag });
  }
  for await (const positions of positionsByWords(db, parts, search, look)) {
    for (let start = 0, size = limit; start < positions.length; start += size, size = Math.min(size * 4, 4_000)) {
      const lead: Lead = { by: "positions", positions: positions.slice(start, start + size) };
      found.push(...(await readAlong(db, parts, { ...plan, limit: limit - found.length }, lead)));
      if (found.length >= limit) return found;
    }
  }
  return found;
}

/** The words of a record's tags are among its own, so that some of them narrow a search for words. */
function toWordTerms({ terms, allTags }: PagePlan): readonly WordTerm[] {
  const ofTags = [...new Set(allTags.flatMap((tag) => toTerms(tag, 4)))].slice(0, 8);
  return [...terms.map((word) => ({ word, isWhole: false })), ...ofTags.map((word) => ({ word, isWhole: true }))];
}

function readAlong(db: Sql, parts: SqlParts, plan: PagePlan, lead: Lead): Promise<Row[]> {
  const { actor, after, allTags, anyTags, noneTags, schemaName } = plan;
  const { owner } = actor;
  const terms = plan.terms.map((word) => ({ word, isWhole: false }));
  const along = sql.ref<number>(lead.by === "tag" ? "d.position" : "b.position");
  let query = start(db, parts, owner, lead)
    .select(["b.position", "b.body", "b.deleted", "b.expires_at", "b.reads_left"])
    .where("b.owner", "=", owner)
    .where("b.deleted", "=", 0)
    .where(sql<boolean>`${along} > ${after}`)
    .where(({ or, eb }) => or([eb("b.expires_at", "is", null), eb("b.expires_at", ">", Math.floor(plan.now))]));
  const tagged = (wanted: readonly string[]) =>
    db
      .selectFrom("breadcrumb_tags as t")
      .select("t.position")
      .where("t.owner", "=", owner)
      .where("t.tag", "in", wanted.length === 1 ? wanted : parts.textList(wanted));
  const ofRecord = sql.ref<number>("b.position");

  for (const tag of allTags) {
    if (lead.by === "tag" && tag === lead.tag) continue;
    query = query.where(({ exists }) => exists(tagged([tag]).where("t.position", "=", ofRecord)));
  }
  if (lead.by === "tag" && terms.length > 0) {
    const words = db.selectFrom("words").select("words.position").where(parts.rowHasWords(terms));
    query = query.where(({ exists }) => exists(words.where("words.position", "=", ofRecord)));
  }
  if (anyTags.length > 0) {
    const hasOne = tagged(anyTags);
    // Where nothing else leads, these tags do.
    query =
      lead.by === "records"
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

/** A cross join prevents SQLite from choosing the opposite order. */
function start(db: Sql, parts: SqlParts, owner: string, lead: Lead): Query {
  const records = db.selectFrom("breadcrumbs as b") as unknown as Query;
  if (lead.by === "records") return records;
  if (lead.by === "positions") return records.where("b.position", "in", parts.wholeNumbers(lead.positions));
  const fromTag = db
    .selectFrom("breadcrumb_tags as d")
    .crossJoin("breadcrumbs as b")
    .where("d.owner", "=", owner)
    .where("d.tag", "=", lead.tag);
  return fromTag.whereRef("b.position", "=", "d.position") as unknown as Query;
}

/** Tags by how many records have them, the rarest first; those with many count as equal, since counting on would cost more than it saves. */
async function countTags(db: Sql, plan: PagePlan): Promise<readonly { readonly tag: string; readonly count: number }[]> {
  const { allTags: tags, actor } = plan;
  const counts = tags.map(
    (tag) => sql<number>`(select count(*) from
      (select 1 from ${table("breadcrumb_tags")} where owner = ${actor.owner} and tag = ${tag} limit ${enough}) as few)`,
  );
  const { rows } = await sql<
    Record<string, number>
  >`select ${sql.join(counts.map((count, index) => sql`${count} as ${sql.id(`c${index}`)}`))}`.execute(db);
  return tags.map((tag, index) => ({ tag, count: Number(rows[0]![`c${index}`]) })).sort((a, b) => a.count - b.count);
}

/** More than this many are many. */
const enough = 300;
