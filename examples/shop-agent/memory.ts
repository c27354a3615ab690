// Memory: notes in a folder and records in a store, found by one search.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// #region imports
import { createRegistry } from "@toolrack/core";
import { createMemoryStore } from "@toolrack/store";
import { createMemoryTools } from "@toolrack/tools";
// #endregion

export async function showMemory(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-notes-"));
  writeFileSync(join(folder, "suppliers.md"), "# Suppliers\n\n## Tea\n\nOur tea comes from Hillside.\n");
  // #region memory
  const store = await createMemoryStore();
  await store.put({ id: "gate", schema_name: "note.v1", title: "Tea delivery", context: { text: "Tea arrives on Mondays." } });

  const registry = createRegistry({ services: { breadcrumbs: store } });
  for (const tool of createMemoryTools({ folder })) registry.register(tool);
  const found = await registry.invoke("memory_search", { query: "where does our tea come from" });
  const { results } = (found.ok && found.data) as { results: { note: string; start_line: number; end_line: number }[] };
  for (const { note, start_line, end_line } of results) console.log(`${note}, lines ${start_line} to ${end_line}`);
  const read = await registry.invoke("memory_get", { note: results[0]!.note, from: results[0]!.start_line });
  // #endregion
  await store.close();
  rmSync(folder, { recursive: true });
  assert.deepEqual(
    results.map(({ note }) => note),
    ["suppliers.md", "record:gate"],
  );
  assert(read.ok && (read.data as { text: string }).text.toLowerCase().includes("tea"));
}
