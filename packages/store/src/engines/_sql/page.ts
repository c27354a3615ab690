import { type Selectable, sql } from "kysely";
import { isCurator } from "../../access/actor.ts";
import type { PagePlan } from "../engine.ts";
import type { SqlParts } from "./parts.ts";
import type { Sql, Tables } from "./tables.ts";

type Row = Pick<Selectable<Tables["breadcrumbs"]>, "position" | "body" | "deleted" | "expires_at" | "reads_left">;

/** A page of records in the order of their positions. The query walks along the rarest thing that was asked for. */
export async function readPage(db: Sql, parts: SqlParts, plan: PagePlan): Promise<readonly Row[]> {
  const { actor, after, terms, anyTags, noneTags, schemaName } = plan;
  const { owner } = actor;
  const [first, ...otherTags] = await rarestFirst(db, owner, plan.allTags);
  let query = db
    .selectFrom("breadcrumbs as b")
    .select(["b.position", "b.body", "b.deleted", "b.expires_at", "b.reads_left"])
    .where("b.owner", "=", owner)
    .where("b.deleted", "=", 0)
    .where("b.position", ">", after)
    .where(({ or, eb }) => or([eb("b.expires_at", "is", null), eb("b.expires_at", ">", Math.floor(plan.now))]));
  const tagged = (tags: readonly string[]) =>
    db
      .selectFrom("breadcrumb_tags as t")
      .select("t.position")
      .where("t.owner", "=", owner)
      .where("t.tag", "in", tags)
      .where("t.position", ">", after);

  if (terms.length > 0) query = query.where(parts.hasWords(terms, after));
  if (first !== undefined) query = query.where("b.position", "in", tagged([first]));
  for (const tag of otherTags)
    query = query.where(({ exists }) => exists(tagged([tag]).where("t.position", "=", sql.ref<number>("b.position"))));
  if (anyTags.length > 0) query = query.where("b.position", "in", tagged(anyTags));
  if (noneTags.length > 0)
    query = query.where(({ not, exists }) => not(exists(tagged(noneTags).where("t.position", "=", sql.ref<number>("b.position")))));
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
  return query.orderBy("b.position").limit(plan.limit).execute();
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

const enough = 300;
