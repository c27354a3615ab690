// row: I18
// From tools in one process to records that all processes share, and that survive a restart.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRegistry, defineTool, type Registry, type ToolDefinition } from "@toolrack/core";
import { type BreadcrumbStore, createSqliteStore, syncSettings, publishTool, recordSource } from "@toolrack/store";

const path = join(await mkdtemp(join(tmpdir(), "toolrack-")), "tools.db");
// #region before
const greet = defineTool({
  name: "greet",
  description: "Greets somebody.",
  inputSchema: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
  handler: ({ who }) => `Hello ${who}!`,
});
const tools: ToolDefinition[] = [greet];
const before = createRegistry();
for (const tool of tools) before.register(tool);
// #endregion

// #region publish
const handlers = Object.fromEntries(tools.map((tool) => [tool.name, tool.handler]));
async function publishAll(store: BreadcrumbStore): Promise<void> {
  for (const tool of tools) {
    const { ok } = await publishTool(store, tool); // idempotent: run it at every start
    assert(ok);
  }
}
// #endregion

// #region start
async function start(): Promise<{ registry: Registry; store: BreadcrumbStore; stop(): Promise<void> }> {
  const store = await createSqliteStore({ path });
  await publishAll(store);
  const registry = createRegistry();
  const settings = await syncSettings(store, registry);
  await registry.addSource(recordSource(store, { handlers }));
  return {
    registry,
    store,
    async stop() {
      await settings.close();
      await registry.close();
      await store.close();
    },
  };
}
// #endregion

// #region shared
const [one, two] = [await start(), await start()]; // two processes on one file would see the same
const changed = new Promise<void>((resolve) => two.registry.subscribe(({ type }) => type === "tool-changed" && resolve()));
await publishTool(one.store, { ...greet, description: "Greets a person by name." });
await changed;
console.log(two.registry.get("greet")?.description);
// #endregion
const result = await two.registry.invoke("greet", { who: "Ada" });
assert(result.ok && result.content === "Hello Ada!");
assert.deepEqual((await before.invoke("greet", { who: "Ada" })).ok, result.ok);

// #region restart
one.registry.disable("greet", "Closed for the holidays.");
await Promise.all([one.stop(), two.stop()]);
const again = await start();
const closed = await again.registry.invoke("greet", { who: "Ada" });
console.log(closed.ok || closed.error);
// #endregion
assert(!closed.ok && closed.code === "TOOL_DISABLED");
await again.stop();
await rm(join(path, ".."), { recursive: true });
