import { sql } from "kysely";
import { type Breadcrumb, contentOf } from "../../record/breadcrumb.ts";
import { termsOf } from "../../record/terms.ts";
import type { SqlParts } from "./parts.ts";
import { addDecisions } from "./add-decisions.ts";
import { addJobs } from "./add-jobs.ts";
import { addSessions } from "./add-sessions.ts";
import { addTickets } from "./add-tickets.ts";
import type { Sql } from "./tables.ts";

export interface Migration {
  readonly name: string;
  up(db: Sql, parts: SqlParts): Promise<void>;
}

/** Every change of the tables, in order, for both engines. A published one is never edited. */
export const migrations: readonly Migration[] = [
  {
    name: "0001-records",
    async up(db, parts) {
      const { big, bytes } = types(parts);
      await db.schema
        .createTable("breadcrumbs")
        .addColumn("position", big, (column) => column.primaryKey())
        .addColumn("owner", bytes, (column) => column.notNull())
        .addColumn("id", bytes, (column) => column.notNull())
        .addColumn("version", big, (column) => column.notNull())
        .addColumn("deleted", "integer", (column) => column.notNull())
        .addColumn("schema_name", bytes, (column) => column.notNull())
        .addColumn("visibility", "text", (column) => column.notNull())
        .addColumn("created_by", bytes, (column) => column.notNull())
        .addColumn("has_grants", "integer", (column) => column.notNull())
        .addColumn("identity", bytes)
        .addColumn("expires_at", big)
        .addColumn("reads_left", big)
        .addColumn("body", "text", (column) => column.notNull())
        .addUniqueConstraint("breadcrumbs_id", ["owner", "id"])
        .addUniqueConstraint("breadcrumbs_identity", ["owner", "identity"])
        .execute();
      await db.schema.createIndex("breadcrumbs_listed").on("breadcrumbs").columns(["owner", "deleted", "position"]).execute();
      await db.schema
        .createIndex("breadcrumbs_schema")
        .on("breadcrumbs")
        .columns(["owner", "schema_name", "deleted", "position"])
        .execute();
      await db.schema
        .createIndex("breadcrumbs_expiry")
        .on("breadcrumbs")
        .column("expires_at")
        .where("expires_at", "is not", null)
        .execute();
      await db.schema
        .createTable("breadcrumb_tags")
        .addColumn("owner", bytes, (column) => column.notNull())
        .addColumn("tag", bytes, (column) => column.notNull())
        .addColumn("position", big, (column) => column.notNull())
        .addPrimaryKeyConstraint("breadcrumb_tags_key", ["owner", "tag", "position"])
        .execute();
      await db.schema.createIndex("breadcrumb_tags_position").on("breadcrumb_tags").column("position").execute();
      await db.schema
        .createTable("revisions")
        .addColumn("sequence", big, (column) => column.primaryKey())
        .addColumn("owner", bytes, (column) => column.notNull())
        .addColumn("id", bytes, (column) => column.notNull())
        .addColumn("version", big, (column) => column.notNull())
        .addColumn("type", "text", (column) => column.notNull())
        .addColumn("body", "text", (column) => column.notNull())
        .addUniqueConstraint("revisions_version", ["owner", "id", "version"])
        .execute();
      await db.schema
        .createTable("ends")
        .addColumn("name", bytes, (column) => column.primaryKey())
        .addColumn("number", big, (column) => column.notNull())
        .addColumn("hash", "text", (column) => column.notNull())
        .execute();
      await db
        .insertInto("ends")
        .values((["sequence", "audit-first", "audit-last"] as const).map((name) => ({ name, number: 0, hash: "" })))
        .execute();
      await parts.createWords(db);
    },
  },
  {
    name: "0002-audit-and-secrets",
    async up(db, parts) {
      const { big, bytes, real } = types(parts);
      await db.schema
        .createTable("audit")
        .addColumn("number", big, (column) => column.primaryKey())
        .addColumn("at", big, (column) => column.notNull())
        .addColumn("owner", bytes, (column) => column.notNull())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("agent", "text", (column) => column.notNull())
        .addColumn("subject", bytes, (column) => column.notNull())
        .addColumn("call_id", bytes)
        .addColumn("ok", "integer")
        .addColumn("code", "text")
        .addColumn("duration_ms", real)
        .addColumn("body", "text", (column) => column.notNull())
        .addColumn("previous", "text", (column) => column.notNull())
        .addColumn("hash", "text", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("audit_subject").on("audit").columns(["owner", "kind", "subject", "number"]).execute();
      await db.schema.createIndex("audit_call").on("audit").column("call_id").execute();
      await db.schema
        .createTable("secrets")
        .addColumn("owner", bytes, (column) => column.notNull())
        .addColumn("name", bytes, (column) => column.notNull())
        .addColumn("version", big, (column) => column.notNull())
        .addColumn("key_id", bytes, (column) => column.notNull())
        .addColumn("wrapped_key", "text", (column) => column.notNull())
        .addColumn("sealed", "text", (column) => column.notNull())
        .addColumn("updated_at", big, (column) => column.notNull())
        .addPrimaryKeyConstraint("secrets_key", ["owner", "name"])
        .execute();
    },
  },
  {
    name: "0003-presence",
    async up(db, parts) {
      const { big, bytes } = types(parts);
      await db.schema
        .createTable("presence")
        .addColumn("owner", bytes, (column) => column.notNull())
        .addColumn("name", bytes, (column) => column.notNull())
        .addColumn("seen_at", big, (column) => column.notNull())
        .addPrimaryKeyConstraint("presence_key", ["owner", "name"])
        .execute();
    },
  },
  {
    name: "0004-notes",
    async up(db, parts) {
      const { big, bytes } = types(parts);
      await db.schema
        .createTable("notes")
        .addColumn("owner", bytes, (column) => column.notNull())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("name", bytes, (column) => column.notNull())
        .addColumn("holder", bytes, (column) => column.notNull())
        .addColumn("ends_at", big)
        .addColumn("body", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("notes_key", ["owner", "kind", "name"])
        .execute();
      await db.schema.createIndex("notes_end").on("notes").columns(["owner", "kind", "ends_at"]).execute();
    },
  },
  {
    name: "0005-newest-lines",
    async up(db) {
      await db.schema.createIndex("audit_newest").on("audit").columns(["owner", "number"]).execute();
      await db.schema.createIndex("audit_kind").on("audit").columns(["owner", "kind", "number"]).execute();
      await db.schema.createIndex("audit_agent").on("audit").columns(["owner", "kind", "agent", "number"]).execute();
      // Calls that run have no end, and come and go with every call.
      await db.schema.dropIndex("notes_end").execute();
      const ends = db.schema.createIndex("notes_end").on("notes").columns(["owner", "kind", "ends_at"]);
      await ends.where("ends_at", "is not", null).execute();
    },
  },
  {
    name: "0006-words-of-records",
    async up(db, parts) {
      if (parts.replaceWords === undefined) return;
      await parts.replaceWords(db);
      const saveWords = parts.createWordWriter(db);
      const live = db.selectFrom("breadcrumbs").select(["position", "body"]).where("deleted", "=", 0).orderBy("position").limit(500);
      for (let after = 0; ;) {
        const rows = await live.where("position", ">", after).execute();
        if (rows.length === 0) return;
        await saveWords(
          rows.map(({ position, body }) => {
            const record = JSON.parse(body) as Breadcrumb;
            return { position, terms: termsOf(record.id, contentOf(record)) };
          }),
        );
        after = rows.at(-1)!.position;
      }
    },
  },
  {
    name: "0007-lines-that-are-rare",
    async up(db) {
      // Nearly all lines are calls, and nearly all of those succeed: for them the newest lines do, and each index costs every call.
      await db.schema.dropIndex("audit_kind").execute();
      const events = db.schema.createIndex("audit_deeds").on("audit").columns(["owner", "kind", "number"]);
      await events.where("kind", "<>", "call").execute();
      const failures = db.schema.createIndex("audit_failed").on("audit").columns(["owner", "number"]);
      await failures.where(sql.ref("ok"), "=", 0).execute();
    },
  },
  {
    name: "0008-tags-by-name",
    async up(db) {
      await db.schema.dropIndex("breadcrumb_tags_position").execute();
    },
  },
  {
    name: "0009-chain-key-and-principal-of-lines",
    async up(db) {
      for (const name of ["chain", "key_id", "principal"])
        await db.schema
          .alterTable("audit")
          .addColumn(name, "text", (column) => column.notNull().defaultTo(""))
          .execute();
    },
  },
  {
    name: "0010-decisions",
    up: addDecisions,
  },
  {
    name: "0011-what-servers-say-of-themselves",
    async up(db) {
      await db.schema
        .alterTable("presence")
        .addColumn("info", "text", (column) => column.notNull().defaultTo("{}"))
        .execute();
    },
  },
  {
    name: "0012-log-of-definitions",
    async up(db, parts) {
      const { big, bytes } = types(parts);
      await db.schema
        .createTable("definition_log")
        .addColumn("leaf", big, (column) => column.primaryKey())
        .addColumn("at", big, (column) => column.notNull())
        .addColumn("owner", bytes, (column) => column.notNull())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("source", bytes, (column) => column.notNull())
        .addColumn("tool", bytes, (column) => column.notNull())
        .addColumn("body", "text", (column) => column.notNull())
        .addColumn("nodes", "text", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("definition_log_tool").on("definition_log").columns(["owner", "source", "tool", "leaf"]).execute();
    },
  },
  {
    name: "0020-jobs",
    up: addJobs,
  },
  {
    name: "0030-leases",
    async up(db, parts) {
      const { big, bytes } = types(parts);
      await db.schema
        .createTable("leases")
        .addColumn("owner", bytes, (column) => column.notNull())
        .addColumn("name", bytes, (column) => column.notNull())
        .addColumn("holder", bytes, (column) => column.notNull())
        .addColumn("token", big, (column) => column.notNull())
        .addColumn("ends_at", big, (column) => column.notNull())
        .addPrimaryKeyConstraint("leases_key", ["owner", "name"])
        .execute();
    },
  },
  {
    name: "0031-chains-of-the-audit",
    async up(db, parts) {
      const { big, bytes } = types(parts);
      await db.schema
        .alterTable("audit")
        .addColumn("place", big, (column) => column.notNull().defaultTo(0))
        .execute();
      const places = db.schema.createIndex("audit_place").unique().on("audit").columns(["chain", "place"]);
      await places.where(sql.ref("place"), ">", 0).execute();
      await db.schema
        .createTable("audit_chains")
        .addColumn("chain", bytes, (column) => column.primaryKey())
        .addColumn("first_place", big, (column) => column.notNull())
        .addColumn("first_hash", "text", (column) => column.notNull())
        .addColumn("last_place", big, (column) => column.notNull())
        .addColumn("last_hash", "text", (column) => column.notNull())
        .execute();
    },
  },
  {
    name: "0032-sessions-of-agents",
    up: addSessions,
  },
  {
    name: "0033-tickets",
    up: addTickets,
  },
];

function types({ types: { big, bytes, real } }: SqlParts) {
  return { big: sql.raw(big), bytes: sql.raw(bytes), real: sql.raw(real) };
}
