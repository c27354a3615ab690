import { type Selectable, sql } from "kysely";
import type { TicketLimit, TicketName, TicketReads, TicketRow, TicketWrites } from "../../engine/tickets.ts";
import { anyText, compiledFor } from "./compiled.ts";
import { insertRows, type RowInsert } from "./insert-rows.ts";
import type { SqlParts } from "./parts.ts";
import type { Sql, Tables } from "./tables.ts";

type Columns = Tables["tickets"];

// A literal, not a parameter: a plan that fits every parameter could not use the index of only these rows.
const isOpen = sql<boolean>`is_open = 1`;

export function createTicketReads(db: Sql, parts: Pick<SqlParts, "textList" | "textsParameter">): TicketReads {
  const own = () =>
    db
      .selectFrom("tickets")
      .where("owner", "=", anyText)
      .where("kind", "=", anyText as TicketRow["kind"]);
  const readOne = compiledFor(db, parts, "one ticket", () => own().selectAll().where("name", "=", anyText).compile());
  const readMarks = compiledFor(db, parts, "marks of tickets", () =>
    own().select(["name", "version", "ends_at"]).where("name", "in", parts.textList([])).compile(),
  );
  return {
    async ticket(owner, kind, name) {
      const [row] = await readOne([owner, kind, name]);
      return row && toTicketRow(row);
    },
    async tickets(owner, kind, filter, limit) {
      let query = db.selectFrom("tickets").selectAll().where("owner", "=", owner).where("kind", "=", kind);
      if (filter.isOpen !== undefined) query = query.where(filter.isOpen ? isOpen : sql<boolean>`is_open = 0`);
      if (filter.holder !== undefined) query = query.where("holder", "=", filter.holder);
      if (filter.endsAfter !== undefined) query = query.where("ends_at", ">", Math.floor(filter.endsAfter));
      return (await query.orderBy("created_at").orderBy("name").limit(limit).execute()).map(toTicketRow);
    },
    async ticketMarks(owner, kind, names) {
      const rows = names.length === 0 ? [] : await readMarks([owner, kind, parts.textsParameter(names)]);
      return rows.map(({ name, version, ends_at }) => ({ name, version, endsAt: ends_at }));
    },
    async ticketHolders(owner, kind, now) {
      const query = db.selectFrom("tickets").select("holder").distinct().where("owner", "=", owner).where("kind", "=", kind);
      const rows = await query.where(isOpen).where("ends_at", ">", Math.floor(now)).where("holder", "<>", "").orderBy("holder").execute();
      return rows.map(({ holder }) => holder);
    },
  };
}

export function createTicketWrites(db: Sql, parts: SqlParts): TicketWrites {
  const addRows = insertRows(db, parts, "tickets", ticketInsert);
  const named = ({ owner, kind, name }: TicketName) => sql<boolean>`owner = ${owner} and kind = ${kind} and name = ${name}`;

  async function hasRoom({ owner, kind, group }: TicketRow, { most, now }: TicketLimit): Promise<boolean> {
    const own = sql<boolean>`owner = ${owner} and kind = ${kind} and group_name = ${group} and ends_at > ${Math.floor(now)}`;
    const { rows } = await db
      .selectFrom("tickets")
      .select(({ fn }) => fn.countAll<number>().as("rows"))
      .where(own)
      .executeTakeFirstOrThrow();
    const surplus = Number(rows) - most + 1;
    if (surplus <= 0) return true;
    const oldest = db
      .selectFrom("tickets")
      .select("name")
      .where(own)
      .where("is_open", "=", 0)
      .orderBy("created_at")
      .orderBy("name")
      .limit(surplus);
    const names = (await oldest.execute()).map(({ name }) => name);
    if (names.length < surplus) return false;
    await db.deleteFrom("tickets").where("owner", "=", owner).where("kind", "=", kind).where("name", "in", parts.textList(names)).execute();
    return true;
  }

  /** For other processes that look at the file. */
  async function count(isChanged: boolean): Promise<void> {
    if (!isChanged || parts.locksRows) return;
    await db
      .updateTable("ends")
      .set(({ eb }) => ({ number: eb("number", "+", 1) }))
      .where("name", "=", "tickets")
      .execute();
  }

  return {
    async addTicket(row, limit) {
      const there = await db.selectFrom("tickets").select("ends_at").where(named(row)).executeTakeFirst();
      if (there !== undefined && there.ends_at > Math.floor(limit.now)) return "taken";
      if (there !== undefined) await db.deleteFrom("tickets").where(named(row)).where("ends_at", "=", there.ends_at).execute();
      if (!(await hasRoom(row, limit))) return "full";
      const query = db.insertInto("tickets").values(toColumns(row));
      const added = await query
        .onConflict((conflict) => conflict.doNothing())
        .returning("version")
        .executeTakeFirst();
      await count(added !== undefined);
      return added === undefined ? "taken" : "added";
    },
    async replaceTicket(row, version) {
      const { owner: _owner, kind: _kind, name: _name, ...changes } = toColumns(row);
      const query = db.updateTable("tickets").set(changes).where(named(row)).where("version", "=", version);
      const isReplaced = (await query.returning("version").executeTakeFirst()) !== undefined;
      await count(isReplaced);
      return isReplaced;
    },
    async removeTicket(ticket) {
      const isRemoved = (await db.deleteFrom("tickets").where(named(ticket)).returning("version").executeTakeFirst()) !== undefined;
      await count(isRemoved);
      return isRemoved;
    },
    addTickets: (rows) => addRows(rows.map((row) => Object.values(toColumns(row)))),
    async trimTickets(owner, kind, endedBefore, limit) {
      const own = db.selectFrom("tickets").select("name").where("owner", "=", owner).where("kind", "=", kind);
      const ended = await own.where("ends_at", "<=", Math.floor(endedBefore)).orderBy("ends_at").orderBy("name").limit(limit).execute();
      if (ended.length === 0) return 0;
      const names = parts.textList(ended.map(({ name }) => name));
      const query = db.deleteFrom("tickets").where("owner", "=", owner).where("kind", "=", kind).where("name", "in", names);
      return Number((await query.where("ends_at", "<=", Math.floor(endedBefore)).executeTakeFirst()).numDeletedRows);
    },
  };
}

/** With the columns in the order of `toColumns`. */
export const ticketInsert: RowInsert<Columns> = {
  columns: {
    owner: "text",
    kind: "text",
    name: "text",
    version: "whole",
    group_name: "text",
    holder: "text",
    is_open: "whole",
    created_at: "whole",
    ends_at: "whole",
    body: "text",
  },
};

export function toColumns(row: TicketRow): Columns {
  const { owner, kind, name, version, group, holder, body } = row;
  return {
    owner,
    kind,
    name,
    version,
    group_name: group,
    holder,
    is_open: row.isOpen ? 1 : 0,
    created_at: Math.floor(row.createdAt),
    ends_at: Math.floor(row.endsAt),
    body,
  };
}

export function toTicketRow(row: Selectable<Columns>): TicketRow {
  const { owner, kind, name, version, holder, body } = row;
  const [createdAt, endsAt] = [row.created_at, row.ends_at];
  return { owner, kind, name, version, group: row.group_name, holder, isOpen: row.is_open === 1, createdAt, endsAt, body };
}
