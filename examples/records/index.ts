// Tools as records: written by one process, callable in another, with history, a feed and restore.
// #region imports
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRegistry, defineTool } from "@toolrack/core";
import { createSqliteStore, publishTool, recordSource } from "@toolrack/store";
// #endregion

// #region open
const folder = await mkdtemp(join(tmpdir(), "toolrack-"));
const store = await createSqliteStore({ path: join(folder, "tools.db") });
const registry = createRegistry();
await registry.addSource(recordSource(store, { handlers: { dice: ({ sides }) => `a number up to ${Number(sides)}` } }));

const untilListed = (name: string): Promise<void> =>
  new Promise((resolve) => {
    if (registry.has(name)) return resolve();
    registry.subscribe((event) => event.type === "tool-added" && event.tool === name && resolve());
  });
// #endregion

// #region publish
const dice = defineTool({
  name: "dice",
  description: "Rolls a die.",
  inputSchema: { type: "object", properties: { sides: { type: "integer", default: 6 } } },
  handler: () => "runs where a handler is registered under its name",
});
const published = await publishTool(store, dice);
assert(published.ok && (await publishTool(store, dice)).ok); // the second time nothing changes
await untilListed("dice");
const result = await registry.invoke("dice", { sides: 12 });
console.log(result.ok && result.content);
// #endregion
assert(result.ok);

// #region write
const id = "tool-def-dice";
const { schema_name, context } = published.record;
const stale = await store.put({ id, schema_name, context, version: 7 }); // compare and set: version 7 does not exist
console.log(stale.ok || `${stale.code}, the version is ${stale.currentVersion}`);
await store.mergeContext(id, { description: "Rolls one die." });
await store.addTags(id, ["games"]);
for (const { path, before, after } of (await store.diff(id, 1, 3))!) console.log(path, before, "→", after);
await store.restore(id, 1);
const [newest] = await store.history(id);
console.log(`version ${newest?.record.version}: ${String(newest?.record.context["description"])}`);
// #endregion

// #region search
const { records } = await store.search({ schema_name: "tool.definition.v1", allTags: ["tool:definition"], text: "die" });
console.log(records.map((record) => `${record.id} v${record.version}`));
// #endregion
assert.equal(records.length, 1);

// #region feed
for await (const change of store.changes({ since: 0 })) {
  console.log(change.sequence, change.type, change.record.id, change.record.version);
  if (change.sequence === (await store.sequence())) break;
}
// #endregion

await registry.close();
await store.close();
await rm(folder, { recursive: true });
