// row: I18
// From tools in one process to records that all processes share, and that survive a restart.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
// #region imports
import { createRegistry, defineTool, type Registry, type ToolDefinition } from "@toolrack/core";
import {
  type BreadcrumbStore,
  buildCatalogFromBreadcrumbs,
  createCallLog,
  createMemoryStore,
  createSqliteStore,
  importRecords,
  publishTool,
  RCRTToolWrapper,
  recordSource,
  syncSettings,
  toCallRecords,
} from "@toolrack/store";
// #endregion

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

const records = createMemoryStore();
// #region import
const definition = {
  schema_name: "tool.definition.v1",
  id: "tool-def-random",
  title: "Random numbers",
  tags: ["tool:definition", "workspace:tools", "category:general"],
  context: { name: "random", version: "1.0.0", description: "Gives random numbers.", input_schema: { type: "object" } },
};
const config = {
  schema_name: "tool.config.v1",
  id: "random-settings",
  version: "v1.0.0", // a text is the author's own version
  tags: ["tool:config", "tool:config:random"],
  context: { tool: "random", config: { source: "secret:random-source" } },
};
const report = await importRecords(
  records,
  [definition, config].map((value) => ({ place: value.id, value })),
  { approve: { which: "all", reason: "Moved from the old store." } },
);
console.log(report.created, "records,", report.problems.length, "problems");
// #endregion
assert.equal(report.created, 2);

// #region wrapper
const wrapper = new RCRTToolWrapper(greet, records);
await wrapper.start(); // writes tool.definition.v1; the same again changes nothing
const { context } = await buildCatalogFromBreadcrumbs(records);
for (const { name, hasConfig, configId } of context.tools) console.log(name, hasConfig, configId ?? "");
console.log(context.totalTools, "tools");
// #endregion
assert.equal(context.totalTools, 2);

// #region calls
const calls = createCallLog(records);
const served = createRegistry({ recorder: calls });
await served.addSource(recordSource(records, { handlers: { ...wrapper.handlers, random: () => ({ numbers: [7] }) } }));
await served.invoke("greet", { who: "Ada" });
const [call] = await calls.list({ tool: "greet" });
for (const { schema_name, tags } of toCallRecords(call!)) console.log(schema_name, tags?.join(" ").replace(/request:.*/, "request:…"));
// #endregion
await served.close();
await records.close();
