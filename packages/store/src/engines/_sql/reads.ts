import type { Reads } from "../../engine/engine.ts";
import { createAuditReads } from "./audit.ts";
import { anyText, compiledOnce } from "./compiled.ts";
import { countMigrations } from "./migrate.ts";
import { createDefinitionLogReads } from "./definition-log.ts";
import { createJobReads } from "./jobs.ts";
import { createNoteReads } from "./notes.ts";
import { createPresenceReads } from "./presence.ts";
import { readPage } from "./page.ts";
import { type BodyReader, createBodyReader } from "./parsed-once.ts";
import type { SqlParts } from "./parts.ts";
import { createRetentionReads } from "./retention.ts";
import { toChange, toHead } from "./rows.ts";
import { createSecretReads } from "./secrets.ts";
import { createSessionReads } from "./sessions.ts";
import type { Sql } from "./tables.ts";
import { createTicketReads } from "./tickets.ts";
import { createUsageReads } from "./usage.ts";

const headColumns = ["b.position", "b.body", "b.deleted", "b.expires_at", "b.reads_left"] as const;

/** The reading queries, on a connection or inside a transaction. */
export function createSqlReads(db: Sql, parts: SqlParts, bodies: BodyReader = createBodyReader()): Reads {
  const heads = () => db.selectFrom("breadcrumbs as b").select(headColumns).where("b.owner", "=", anyText);
  const readHead = compiledOnce(db, () => heads().where("b.id", "=", anyText).compile());
  const readHeads = compiledOnce(db, () => heads().where("b.id", "in", parts.textList([])).compile());
  const readIdentified = compiledOnce(db, () => heads().where("b.identity", "in", parts.textList([])).compile());
  // Every identity is ASCII, so that DEL is above all that follows a prefix.
  const readIdentities = compiledOnce(db, () =>
    heads().where("b.identity", ">=", anyText).where("b.identity", "<", anyText).orderBy("b.identity").compile(),
  );
  return {
    ...createAuditReads(db),
    ...createSecretReads(db),
    ...createPresenceReads(db),
    ...createNoteReads(db),
    ...createUsageReads(db, parts),
    ...createRetentionReads(db),
    ...createDefinitionLogReads(db, parts),
    ...createJobReads(db, parts),
    ...createSessionReads(db, parts),
    ...createTicketReads(db, parts),
    async head(owner, id) {
      const [row] = await readHead([owner, id]);
      return row && toHead(row);
    },
    async heads(owner, ids) {
      return (await readHeads([owner, parts.textsParameter(ids)])).map(toHead);
    },
    async revision(owner, id, version) {
      const query = db.selectFrom("revisions").selectAll().where("owner", "=", owner).where("id", "=", id).where("version", "=", version);
      const row = await query.executeTakeFirst();
      return row && toChange(row);
    },
    async revisions(owner, id, before, limit) {
      const query = db.selectFrom("revisions").selectAll().where("owner", "=", owner).where("id", "=", id).where("version", "<", before);
      return (await query.orderBy("version", "desc").limit(limit).execute()).map(toChange);
    },
    async page(plan) {
      return (await readPage(db, parts, plan)).map(toHead);
    },
    async withIdentity(owner, prefix) {
      return (await readIdentities([owner, prefix, `${prefix}\u007f`])).map(toHead);
    },
    async identified(owner, identities) {
      return (await readIdentified([owner, parts.textsParameter(identities)])).map(toHead);
    },
    async changesAfter(sequence, limit) {
      const query = db.selectFrom("revisions").select(["sequence", "type", "body"]).where("sequence", ">", sequence);
      const rows = await query.orderBy("sequence").limit(limit).execute();
      return rows.map(({ sequence: number, type, body }) => ({ sequence: number, type, record: bodies.read(number, body) }));
    },
    async lastSequence() {
      return (await db.selectFrom("ends").select("number").where("name", "=", "sequence").executeTakeFirstOrThrow()).number;
    },
    async ended(now, limit) {
      const query = db
        .selectFrom("breadcrumbs")
        .select(["owner", "id"])
        .where("expires_at", "is not", null)
        .where("expires_at", "<=", Math.floor(now));
      return query.orderBy("expires_at").orderBy("position").limit(limit).execute();
    },
    migrations: () => countMigrations(db),
    async nextEnd() {
      const query = db.selectFrom("breadcrumbs").select("expires_at").where("expires_at", "is not", null).orderBy("expires_at").limit(1);
      return (await query.executeTakeFirst())?.expires_at ?? undefined;
    },
  };
}
