// An agent with two thousand tools that sees three of them: it searches, reads and calls, within a budget of 2,000 tokens.
import assert from "node:assert/strict";
// #region imports
import { createRegistry } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { estimateTokens } from "@toolrack/core/prompt";
import { createMetaTools, createSemanticIndex, createToolIndex, type Embedder, fitTools, searchTools } from "@toolrack/core/search";
import { exportDeferred, exportTools, readCalls } from "@toolrack/core/vendors";
import { officeTools } from "./catalog.ts"; // 2,000 tools of an office
// #endregion

// #region registry
const done: { name: string; input: unknown }[] = [];
const registry = createRegistry({ policy: readPolicyConfig({ agents: { clerk: { tools: { deny: ["security_*"] } } } }) });
for (const tool of officeTools((name, input) => done.push({ name, input }))) registry.register(tool);
for (const tool of createMetaTools(registry)) registry.register(tool);
const caller = { agent: "clerk" };
// #endregion
assert.equal(registry.count, 2_003);

// #region search
const hits = searchTools(registry.view(caller).tools, "remove an outdated firewall", { limit: 3 });
for (const { tool, why } of hits)
  console.log(
    tool.name,
    why.map((reason) => (reason.kind === "word" ? reason.word : reason.kind)),
  );
// #endregion
assert(hits.length === 3 && hits.every(({ tool }) => tool.name.endsWith("_delete_firewall") && !tool.name.startsWith("security_")));

// #region budget
const { tools } = registry.view(caller);
const fitted = fitTools(tools, "anthropic", { task: "pay an invoice", maxTokens: 2_000 });
const exported = exportTools(fitted.tools, "anthropic");
const { tokens, saved, left } = fitted.budget;
console.log(`${Object.keys(exported.names).length} tools cost ${tokens} tokens; ${left.length} are left to search, which saves ${saved}`);
// #endregion
assert(tokens <= 2_000 && estimateTokens(exported.text) <= 2_000 && saved > 50_000);
assert(["search_tools", "describe_tool", "call_tool"].every((name) => Object.values(exported.names).includes(name)));

// #region agent
/** A fake model: it knows only the results of tools, and answers like Anthropic's API. */
function modelReply(turn: number, lastResult: string): unknown {
  const found = (JSON.parse(lastResult || "{}") as { tools?: { name: string }[] }).tools?.[0]?.name;
  const steps = [
    { name: "search_tools", input: { query: "Cancel the visa for the trip: the travel department has an old visa that must be removed." } },
    { name: "describe_tool", input: { name: found } },
    { name: "call_tool", input: { name: chosen, input: { visa_id: "V-17" } } },
  ];
  return { content: [{ type: "tool_use", id: `toolu_${turn}`, ...steps[turn] }] };
}

let chosen = "";
let lastResult = "";
for (let turn = 0; turn < 3; turn++) {
  const [result] = await registry.callAll(readCalls(modelReply(turn, lastResult), exported), { caller });
  assert(result?.ok, JSON.stringify(result));
  lastResult = result.content;
  if (turn === 1) chosen = (result.data as { name: string }).name;
}
console.log(lastResult);
// #endregion
assert.deepEqual(done, [{ name: "travel_delete_visa", input: { visa_id: "V-17" } }]);

const hidden = await registry.invoke("search_tools", { query: "security firewall badge" }, { caller });
assert(hidden.ok && !hidden.content.includes("security_"));

// #region index
const index = createToolIndex(registry.list());
const [first] = index.search("book a flight, then file an expense");
// #endregion
assert(first !== undefined);

// #region deferred
const claude = exportDeferred(tools, fitted.tools, "anthropic");
// #endregion
assert.equal((claude.tools[0] as { name: string }).name, "tool_search_tool_bm25");

// #region embedder
/** A real embedder calls a model; this one knows that a car is a vehicle. */
const embedder: Embedder = {
  id: "vehicles-1",
  embed: async (texts) => texts.map((text) => [/\b(?:cars?|vehicles?|sedans?)\b/i.test(text) ? 1 : 0, 0.1]),
};
const semantic = createSemanticIndex(registry.view(caller).tools, { embedder, weight: 0.5 });
const [nearest] = await semantic.search("delete a sedan");
// #endregion
assert.match(nearest!.tool.name, /delete_vehicle/);
