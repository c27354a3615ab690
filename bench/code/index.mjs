export const title = "Programs: the language against test262, programs as models write them, attempts to escape, and speed";

/** `npm run bench:code -- DIR`: DIR holds test262/, programs.json and escapes.jsonl. Without it only the speed is measured. */
export const options = { verbose: { type: "boolean", default: false } };

export async function run([folder] = [], { only, verbose } = {}) {
  const { speedTables } = await import("./speed.mjs");
  if (folder === undefined) return speedTables();
  const { test262Table } = await import("./test262.mjs");
  const { programsTable } = await import("./programs.mjs");
  const { escapesTable } = await import("./escapes.mjs");
  const parts = { test262: test262Table, programs: programsTable, escapes: escapesTable };
  const tables = [];
  for (const [name, table] of Object.entries(parts)) if (only === undefined || only === name) tables.push(await table(folder, verbose));
  return only === undefined ? [...tables, ...(await speedTables())] : tables;
}
