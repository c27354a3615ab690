import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { SessionReads, SessionRowFilter, SessionWrites } from "../../engine/sessions.ts";
import { anyNumber, anyText, compiledOnce } from "./compiled.ts";
import { insertRows } from "./insert-rows.ts";
import type { SqlParts } from "./parts.ts";
import {
  inboxInsert,
  messageInsert,
  toInboxColumns,
  toInboxRow,
  toMarkColumns,
  toMessageColumns,
  toSessionColumns,
  toSessionRow,
} from "./session-rows.ts";
import type { Sql, Tables } from "./tables.ts";

export function createSessionReads(db: Sql, parts: Pick<SqlParts, "textList">): SessionReads {
  const own = () => db.selectFrom("sessions").selectAll().where("owner", "=", anyText);
  const readOne = compiledOnce(db, () => own().where("id", "=", anyText).compile());
  const readKey = compiledOnce(db, () => own().where("key", "=", anyText).compile());
  const inbox = () => db.selectFrom("session_inbox").selectAll().where("owner", "=", anyText).where("session", "=", anyText);
  const readInbox = compiledOnce(db, () => inbox().where("taken", "=", sql.lit(0)).orderBy("place").compile());
  const readSource = compiledOnce(db, () => inbox().where("source", "=", anyText).compile());
  const readMessages = compiledOnce(db, () => {
    const messages = db.selectFrom("session_messages").selectAll().where("owner", "=", anyText).where("session", "=", anyText);
    return messages.where("seq", ">", anyNumber).orderBy("seq").limit(anyNumber).compile();
  });
  return {
    async session(owner, id) {
      const [row] = await readOne([owner, id]);
      return row && toSessionRow(row);
    },
    async sessionWithKey(owner, key) {
      const [row] = await readKey([owner, key]);
      return row && toSessionRow(row);
    },
    async sessions(owner, filter, limit, offset) {
      const query = filtered(db.selectFrom("sessions").selectAll().where("owner", "=", owner), filter, parts);
      const rows = await query.orderBy("touched", "desc").orderBy("id", "desc").limit(limit).offset(offset).execute();
      return rows.map(toSessionRow);
    },
    async countSessions(owner) {
      let query = db.selectFrom("sessions").select(({ fn }) => fn.countAll<number>().as("rows"));
      if (owner !== undefined) query = query.where("owner", "=", owner);
      return Number((await query.executeTakeFirstOrThrow()).rows);
    },
    sessionMessages: (owner, session, after, limit) => readMessages([owner, session, after, limit]),
    async inboxMessages(owner, session) {
      return (await readInbox([owner, session])).map(toInboxRow);
    },
    async inboxMessageFrom(owner, session, source) {
      const [row] = await readSource([owner, session, source]);
      return row && toInboxRow(row);
    },
  };
}

type Query = SelectQueryBuilder<Tables, "sessions", Tables["sessions"]>;

function filtered(all: Query, filter: SessionRowFilter, { textList }: Pick<SqlParts, "textList">): Query {
  const { agent, kinds, parent, label, search, status, touchedSince, hasInbox } = filter;
  let query = all;
  if (agent !== undefined) query = query.where("agent", "=", agent);
  if (kinds !== undefined) query = query.where("kind", "in", textList(kinds));
  if (parent !== undefined) query = query.where("parent", "=", parent);
  if (label !== undefined) query = query.where("label", "=", label);
  if (status !== undefined) query = query.where("status", "=", status);
  if (touchedSince !== undefined) query = query.where("touched", ">=", Math.floor(touchedSince));
  if (hasInbox === true) query = query.where("inbox_count", ">", 0);
  if (search !== undefined && search !== "") {
    const part = search.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
    // In both engines `lower` changes ASCII letters only, and no character of the part has a meaning of its own.
    const has = (column: "key" | "label") => sql<SqlBool>`replace(lower(${sql.ref(column)}), ${part}, '') <> lower(${sql.ref(column)})`;
    query = query.where(({ or }) => or([has("key"), has("label")]));
  }
  return query;
}

export function createSessionWrites(db: Sql, parts: SqlParts): SessionWrites {
  const lock = compiledOnce(db, () => {
    const one = db
      .selectFrom("sessions")
      .selectAll()
      .select(parts.now.as("database_now"))
      .where("owner", "=", anyText)
      .where("id", "=", anyText);
    return (parts.locksRows ? one.forUpdate() : one).compile();
  });
  const addMessages = insertRows(db, parts, "session_messages", messageInsert);
  const addToInbox = insertRows(db, parts, "session_inbox", inboxInsert);

  async function remove(owner: string, ids: readonly string[]): Promise<void> {
    for (const name of ["session_messages", "session_inbox"] as const)
      await db.deleteFrom(name).where("owner", "=", owner).where("session", "in", parts.textList(ids)).execute();
    await db.deleteFrom("sessions").where("owner", "=", owner).where("id", "in", parts.textList(ids)).execute();
  }

  return {
    async addSession(row) {
      const query = db.insertInto("sessions").values(toSessionColumns(row));
      const added = query.onConflict((conflict) => conflict.columns(["owner", "key"]).doNothing());
      return (await added.returning("id").executeTakeFirst()) !== undefined;
    },
    async lockSession(owner, id) {
      const [found] = await lock([owner, id]);
      return found && { row: toSessionRow(found), now: Number(found.database_now) };
    },
    async changeSession(owner, id, change) {
      await db.updateTable("sessions").set(toMarkColumns(change)).where("owner", "=", owner).where("id", "=", id).execute();
    },
    addSessionMessages: (rows) => addMessages(rows.map(toMessageColumns)),
    addInboxMessages: (rows) => addToInbox(rows.map(toInboxColumns)),
    async takeInboxMessages(owner, session, upTo) {
      const isWaiting = sql<SqlBool>`owner = ${owner} and session = ${session} and taken = 0 and place <= ${upTo}`;
      await db.updateTable("session_inbox").set({ taken: 1 }).where(isWaiting).where("source", "is not", null).execute();
      await db.deleteFrom("session_inbox").where(isWaiting).where("source", "is", null).execute();
    },
    removeSession: (owner, id) => remove(owner, [id]),
    async trimSessions(owner, endedBefore, limit) {
      const query = db.selectFrom("sessions").select("id").where("owner", "=", owner).where("ended_at", "<=", Math.floor(endedBefore));
      const old = query.orderBy("ended_at").orderBy("id").limit(limit);
      const ids = (await (parts.locksRows ? old.forUpdate().skipLocked() : old).execute()).map(({ id }) => id);
      if (ids.length > 0) await remove(owner, ids);
      return ids.length;
    },
  };
}
