import { readFieldsForPeers } from "./peer-fields.mjs";

/** Each engine is `{ name, create(tools) }`; an index is `{ search(query, limit), replace?(old, new) }`, and answers ids. */
export async function loadEngines() {
  const engines = [await toolrack()];
  for (const load of [miniSearch, fts5]) {
    try {
      engines.push(await load());
    } catch (error) {
      engines.push({ name: load.label, notRun: String(error?.message ?? error).split("\n")[0] });
    }
  }
  return engines;
}

async function toolrack() {
  const { createToolIndex } = await import("../../packages/core/lib/search.js");
  return {
    name: "Toolrack",
    create(tools) {
      const index = createToolIndex(tools, { sourceOf: (tool) => tool.server });
      return {
        search: (query, limit) => index.search(query, { limit }).map((hit) => hit.tool.id),
        replace(before, after) {
          index.remove(before);
          index.add(after);
        },
      };
    },
  };
}

miniSearch.label = "MiniSearch";
async function miniSearch() {
  const { default: MiniSearch } = await import("minisearch");
  return {
    name: miniSearch.label,
    create(tools) {
      const index = new MiniSearch({ idField: "id", fields: ["name", "description", "parameters"] });
      index.addAll(tools.map(readFieldsForPeers));
      return {
        search: (query, limit) =>
          index
            .search(query)
            .slice(0, limit)
            .map(({ id }) => id),
        replace(before, after) {
          index.remove(readFieldsForPeers(before));
          index.add(readFieldsForPeers(after));
        },
      };
    },
  };
}

fts5.label = "SQLite FTS5";
async function fts5() {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  return {
    name: fts5.label,
    create(tools) {
      const database = new DatabaseSync(":memory:");
      database.exec("CREATE VIRTUAL TABLE tools USING fts5(id UNINDEXED, name, description, parameters, tokenize = 'porter unicode61')");
      const insert = database.prepare("INSERT INTO tools VALUES (?, ?, ?, ?)");
      const rows = new Map();
      const add = (tool) => {
        const { id, name, description, parameters } = readFieldsForPeers(tool);
        rows.set(id, insert.run(id, name, description, parameters).lastInsertRowid);
      };
      database.exec("BEGIN");
      tools.forEach(add);
      database.exec("COMMIT");
      const select = database.prepare("SELECT id FROM tools WHERE tools MATCH ? ORDER BY bm25(tools) LIMIT ?");
      const remove = database.prepare("DELETE FROM tools WHERE rowid = ?");
      return {
        search(query, limit) {
          const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
          if (words.length === 0) return [];
          return select.all(words.map((word) => `"${word}"`).join(" OR "), limit).map(({ id }) => id);
        },
        replace(before, after) {
          remove.run(rows.get(before.id));
          add(after);
        },
      };
    },
  };
}
