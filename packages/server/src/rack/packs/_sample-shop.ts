import { ToolError } from "@toolrack/core";
import { createSqliteSession, fillSampleShop, type SqliteDatabase, type SqlSession } from "@toolrack/tools";

/** A sample shop: in memory, created on first use, shared by all callers. */
export function createSampleShop(): () => Promise<SqlSession> {
  let shop: Promise<SqlSession> | undefined;
  return () => (shop ??= open());
}

async function open(): Promise<SqlSession> {
  for (const name of drivers) {
    const driver = await (import(name) as Promise<Driver>).catch(() => undefined);
    if (driver === undefined) continue;
    const session = createSqliteSession(new driver.DatabaseSync(":memory:"), "sample");
    await fillSampleShop(session);
    return session;
  }
  throw new ToolError("TOOL_UNAVAILABLE", "The sample shop needs SQLite, and no driver can be loaded on this machine.");
}

/** The driver of the store, else the one built into newer versions of Node. */
const drivers = ["@photostructure/sqlite", "node:sqlite"] as const;

interface Driver {
  readonly DatabaseSync: new (path: string) => SqliteDatabase;
}
