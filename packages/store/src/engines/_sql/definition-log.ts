import type { Selectable } from "kysely";
import type { DefinitionLogReads, DefinitionLogRow, DefinitionLogWrites } from "../../engine/definition-log.ts";
import { insertRows, type RowInsert } from "./insert-rows.ts";
import type { SqlParts } from "./parts.ts";
import type { Sql, Tables } from "./tables.ts";

export function createDefinitionLogReads(db: Sql, parts: Pick<SqlParts, "wholeNumbers">): DefinitionLogReads {
  return {
    async logSize() {
      const row = await db.selectFrom("definition_log").select("leaf").orderBy("leaf", "desc").limit(1).executeTakeFirst();
      return row === undefined ? 0 : row.leaf + 1;
    },
    async logFrom(index, limit) {
      return (await db.selectFrom("definition_log").selectAll().where("leaf", ">=", index).orderBy("leaf").limit(limit).execute()).map(
        toLogRow,
      );
    },
    async logNodes(indexes) {
      if (indexes.length === 0) return [];
      const query = db.selectFrom("definition_log").select(["leaf", "nodes"]).where("leaf", "in", parts.wholeNumbers(indexes));
      return (await query.execute()).map(({ leaf, nodes }) => ({ index: leaf, nodes }));
    },
    async logBefore(before, limit, { owner, source, tool }) {
      let query = db.selectFrom("definition_log").selectAll().where("leaf", "<", before).where("owner", "=", owner);
      if (source !== undefined) query = query.where("source", "=", source);
      if (tool !== undefined) query = query.where("tool", "=", tool);
      return (await query.orderBy("leaf", "desc").limit(limit).execute()).map(toLogRow);
    },
  };
}

export function createDefinitionLogWrites(db: Sql, parts: SqlParts): DefinitionLogWrites {
  const insert = insertRows(db, parts, "definition_log", logInsert);
  return {
    appendLog: (rows) =>
      insert(rows.map(({ index, at, owner, kind, source, tool, body, nodes }) => [index, at, owner, kind, source, tool, body, nodes])),
  };
}

const logInsert: RowInsert<Tables["definition_log"]> = {
  columns: { leaf: "whole", at: "whole", owner: "text", kind: "text", source: "text", tool: "text", body: "text", nodes: "text" },
};

export function toLogRow({ leaf, ...row }: Selectable<Tables["definition_log"]>): DefinitionLogRow {
  return { index: leaf, ...row };
}
