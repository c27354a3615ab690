/** Opens the store that a target `{ engine, path, pagesBeforeThread | connectionString, schema }` describes. */
export async function openStore(storeModule, target) {
  const { createMemoryStore, createPostgresStore, createSqliteStore } = await import(storeModule);
  if (target.engine === "memory") return createMemoryStore();
  if (target.engine === "sqlite") return createSqliteStore({ path: target.path, pagesBeforeThread: target.pagesBeforeThread });
  return createPostgresStore({ connectionString: target.connectionString, schema: target.schema, maxConnections: 4 });
}
