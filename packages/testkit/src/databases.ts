import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** Creates an empty database on a server, and returns its connection string. It goes when the server goes. */
export async function createDatabase(server: { readonly connectionString: string }): Promise<string> {
  const name = `toolrack_${randomBytes(8).toString("hex")}`;
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server.connectionString);
  url.pathname = `/${name}`;
  return url.href;
}

/** Waits until a server answers a query; throws its last error when `isOver` says so. */
export async function untilAnswers(connectionString: string, isOver: (tries: number) => boolean): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
    // A server that ends in the middle of this is tried again.
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("select 1");
      return;
    } catch (error) {
      if (isOver(tries)) throw error;
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
