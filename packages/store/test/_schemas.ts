import pg from "pg";
import type { Engine } from "../src/engine/engine.ts";

/** Engines on empty tables of a PostgreSQL server, for many checks one after another. */
export interface Schemas {
  /** Opens so many engines on one schema that no other engine uses. */
  open(count: number): Promise<Engine[]>;
  close(): Promise<void>;
}

/**
 * Making the tables of a schema costs the server many times what emptying them does: a schema is emptied and used again when the engines on it
 * are closed. A name is new on the server.
 */
export function createSchemas(
  server: () => { readonly connectionString: string },
  newName: () => string,
  openEngine: (schema: string) => Promise<Engine>,
): Schemas {
  const free: string[] = [];
  let client: pg.Client | undefined;
  let pristine: string | undefined;

  async function connect(): Promise<pg.Client> {
    if (client !== undefined) return client;
    client = new pg.Client({ connectionString: server().connectionString });
    // A test may end the server.
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  async function makeEmpty(schema: string): Promise<void> {
    const database = await connect();
    if (pristine === undefined) {
      const name = newName();
      await (await openEngine(name)).close();
      pristine = name;
    }
    await database.query(emptying(schema, pristine));
  }

  return {
    async open(count) {
      const schema = free.pop() ?? newName();
      const engines: Engine[] = [];
      for (let index = 0; index < count; index++) engines.push(await openEngine(schema));
      let left = count;
      return engines.map((engine) => ({
        ...engine,
        async close() {
          await engine.close();
          if (--left > 0) return;
          await makeEmpty(schema);
          free.push(schema);
        },
      }));
    },
    async close() {
      await client?.end().catch(() => undefined);
    },
  };
}

/** Every table as it is in the schema that nothing was written to, whatever tables there are. */
const emptying = (schema: string, pristine: string): string => `do $$
  declare
    name text;
    number bigint;
  begin
    for name in select tablename from pg_tables where schemaname = '${pristine}' loop
      execute format('select count(*) from (select 1 from ${schema}.%I limit 100) as few', name) into number;
      if number = 100 then execute format('truncate ${schema}.%I', name);
      elsif number > 0 then execute format('delete from ${schema}.%I', name);
      end if;
      execute format('insert into ${schema}.%1$I select * from ${pristine}.%1$I', name);
    end loop;
  end $$`;
