// Plugins provide tools and hooks. A problem of one is reported, and does not affect the others.
import assert from "node:assert/strict";
// #region imports
import { fileURLToPath } from "node:url";
import { createRegistry } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { getPluginToolMeta } from "@toolrack/core/compat";
import { loadPlugins, type PluginModule } from "@toolrack/core/node";
import { mockTool } from "@toolrack/core/testing";
// #endregion

// #region load
const core = [mockTool("read"), mockTool("write")];
const deaf: PluginModule = { id: "deaf", register: () => Promise.reject(new Error("There is no microphone.")) };
const directory = fileURLToPath(new URL(".", import.meta.url));
const loaded = await loadPlugins(["./voice.js", deaf], { existing: core, directory });
for (const { code, message } of loaded.diagnostics) console.log(`${code}: ${message}`);
// #endregion
assert.deepEqual(
  loaded.plugins.map(({ id }) => id),
  ["voice"],
);
assert.equal(loaded.diagnostics[0]?.code, "PLUGIN_INVALID");

// #region registry
const registry = createRegistry({
  hooks: { before: loaded.hooks },
  policy: readPolicyConfig({ agents: { caller: { tools: { alsoAllow: ["voice"] } }, reader: { tools: { deny: ["group:plugins"] } } } }),
});
for (const tool of core) registry.register(tool);
for (const source of loaded.sources) await registry.addSource(source);
// #endregion

// #region view
const names = (caller: { agent?: string; channel?: string }): string =>
  registry
    .view(caller)
    .tools.map(({ name }) => name)
    .join(", ");
console.log("somebody:           ", names({}));
console.log("somebody on a phone:", names({ channel: "phone" }));
console.log("caller:             ", names({ agent: "caller" }));
console.log("reader:             ", names({ agent: "reader", channel: "phone" }));
// #endregion
assert.equal(names({}), "read, write, say");
assert.equal(names({ channel: "phone" }), "read, write, say, hang_up");
assert.equal(names({ agent: "caller" }), "read, write, say, record");
assert.equal(names({ agent: "reader", channel: "phone" }), "read, write");

const call = await registry.invoke("hang_up", {}, { caller: { channel: "mail" } });
assert(!call.ok); // what is not listed cannot be called
const long = await registry.invoke("say", { text: "blah ".repeat(50) });
console.log(long.ok || long.error);
assert(!long.ok && long.code === "BLOCKED");
assert.deepEqual(getPluginToolMeta(registry.get("record")!), { pluginId: "voice", optional: true });
