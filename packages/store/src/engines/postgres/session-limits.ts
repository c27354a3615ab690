import pg from "pg";

/** The limits as settings that a connection is opened with. */
export interface SessionLimits {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

/**
 * Whether a connection that is opened with settings has them. A connection pooler refuses settings that it does not know, or ignores them:
 * then every transaction has to set its own.
 */
export async function keepsSessionLimits(settings: pg.ClientConfig, limits: SessionLimits): Promise<boolean> {
  const client = new pg.Client({ ...settings, ...limits, query_timeout: limits.statement_timeout });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ setting: string }>("select setting from pg_settings where name = 'statement_timeout'");
    return Number(rows[0]?.setting) === limits.statement_timeout;
  } catch (error) {
    if (error instanceof Error && /unsupported startup parameter/i.test(error.message)) return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
