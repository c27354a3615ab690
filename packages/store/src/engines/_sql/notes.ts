import { type CompiledQuery, type Selectable, sql } from "kysely";
import type { Note, NoteReads, NoteWrites } from "../../engine/notes.ts";
import { anyText, compiledOnce } from "./compiled.ts";
import { insertRows, type RowInsert } from "./insert-rows.ts";
import type { SqlParts } from "./parts.ts";
import { type Sql, table, type Tables } from "./tables.ts";

export function createNoteReads(db: Sql): NoteReads {
  return {
    async note(owner, kind, name) {
      const query = db.selectFrom("notes").selectAll().where("owner", "=", owner).where("kind", "=", kind).where("name", "=", name);
      const row = await query.executeTakeFirst();
      return row && toNote(row);
    },
    async notes(owner, kind, limit, holder) {
      let query = db.selectFrom("notes").selectAll().where("owner", "=", owner).where("kind", "=", kind);
      if (holder !== undefined) query = query.where("holder", "=", holder);
      return (await query.orderBy("name").limit(limit).execute()).map(toNote);
    },
  };
}

export function createNoteWrites(db: Sql, parts: SqlParts): NoteWrites {
  const insert = insertRows(db, parts, "notes", noteInsert);
  const remove = compiledOnce(db, () => removeNotesByName(db, parts));
  return {
    async lockNotes() {
      if (parts.locksRows) await sql`lock table ${table("notes")} in share row exclusive mode`.execute(db);
    },
    saveNotes: (notes) => insert(notes.map((note) => Object.values(toRow(note)))),
    async claimNote(note) {
      const query = db
        .insertInto("notes")
        .values(toRow(note))
        .onConflict((conflict) => conflict.columns(["owner", "kind", "name"]).doNothing());
      return (await query.returning("name").executeTakeFirst()) !== undefined;
    },
    async removeNotes(owner, kind, names) {
      if (names.length > 0) await remove([owner, kind, parts.textsParameter(names)]);
    },
    async trimNotes(owner, kind, now, most, prefix) {
      const own = db.deleteFrom("notes").where("owner", "=", owner).where("kind", "=", kind);
      const ended = await own.where("ends_at", "<=", Math.floor(now)).executeTakeFirst();
      let free = db.selectFrom("notes").select("name").where("owner", "=", owner).where("kind", "=", kind).where("holder", "=", "");
      // Names are ASCII, so that DEL is above all that follows a prefix.
      if (prefix !== undefined) free = free.where("name", ">=", prefix).where("name", "<", `${prefix}\u007f`);
      const surplus = free.orderBy("ends_at", "desc").orderBy("name").limit(Number.MAX_SAFE_INTEGER).offset(most);
      const more = await own.where("name", "in", surplus).executeTakeFirst();
      return Number(ended.numDeletedRows + more.numDeletedRows);
    },
  };
}

/** Takes the owner, the kind and the names. */
export function removeNotesByName(db: Sql, parts: SqlParts): CompiledQuery {
  const own = db
    .deleteFrom("notes")
    .where("owner", "=", anyText)
    .where("kind", "=", anyText as Note["kind"]);
  return own.where("name", "in", parts.textList([])).compile();
}

/** With the columns in the order of the fields of a `Note`. */
export const noteInsert: RowInsert<Tables["notes"]> = {
  columns: { owner: "text", kind: "text", name: "text", holder: "text", ends_at: "whole", body: "text" },
  key: ["owner", "kind", "name"],
};

/** With its fields in the order of the columns. */
function toRow({ owner, kind, name, holder, endsAt, body }: Note): Tables["notes"] {
  return { owner, kind, name, holder, ends_at: endsAt === undefined ? null : Math.floor(endsAt), body };
}

export function toNote({ ends_at, ...row }: Selectable<Tables["notes"]>): Note {
  return { ...row, endsAt: ends_at ?? undefined };
}
