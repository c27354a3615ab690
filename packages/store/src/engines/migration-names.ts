/** The names of all migrations that this version knows, in order. Loaded when it is called: it needs the library that builds queries. */
export async function knownMigrations(): Promise<readonly string[]> {
  const { migrations } = await import("./_sql/migrations.ts");
  return migrations.map(({ name }) => name);
}
