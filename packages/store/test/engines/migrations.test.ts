import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { describe, expect, it } from "vitest";
import { migrations } from "../../src/engines/_sql/migrations.ts";
import type { SqlParts } from "../../src/engines/_sql/parts.ts";
import type { Tables } from "../../src/engines/_sql/tables.ts";
import { postgresParts } from "../../src/engines/postgres/parts.ts";
import { sqliteParts } from "../../src/engines/sqlite/parts.ts";

const engines = {
  sqlite: [sqliteParts, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler],
  postgres: [postgresParts, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler],
} as const;

/** What the migrations ask of an empty database, statement by statement. */
async function statementsOf(engine: keyof typeof engines): Promise<string> {
  const [parts, Adapter, Introspector, QueryCompiler] = engines[engine];
  const lines: string[] = [];
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (own) => new Introspector(own),
      createQueryCompiler: () => new QueryCompiler(),
    },
    log: ({ query: { sql, parameters } }) =>
      void lines.push(sql.replaceAll(/\s+/g, " ") + (parameters.length === 0 ? "" : ` ${JSON.stringify(parameters)}`)),
  });
  for (const { name, up } of migrations) {
    lines.push(`\n${name}`);
    await up(db, parts as SqlParts);
  }
  return `${lines.join("\n").trim()}\n`;
}

describe("the migrations of a database", () => {
  // A published migration is never edited: databases that have it would differ from new ones. A new one adds lines at the end.
  it.each(["sqlite", "postgres"] as const)("are those that were published: %s", async (engine) => {
    await expect(await statementsOf(engine)).toMatchFileSnapshot(`./migrations-${engine}.txt`);
  });
});
