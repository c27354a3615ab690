// Grammars from schemas and from tools: a local model can then write only valid calls.
import assert from "node:assert/strict";
// #region imports
import { readPolicyConfig } from "@toolrack/core/policy";
import { createRegistry, defineTool } from "@toolrack/core";
import {
  backends,
  resolveConstraint,
  toGbnf,
  toolCallGrammar,
  toolCallGrammarWithReport,
  toolCallStructuralTag,
} from "@toolrack/core/grammar";
// #endregion

// #region schema
console.log(
  toGbnf({
    type: "object",
    properties: { size: { enum: ["S", "M", "L"] }, count: { type: "integer", minimum: 1, maximum: 12 } },
    required: ["size"],
  }),
);
// #endregion

// #region tools
const order = defineTool({
  name: "order",
  description: "Orders shirts.",
  inputSchema: {
    type: "object",
    properties: { size: { type: "string", enum: ["S", "M", "L"] }, sizes: { type: "array", items: { type: "string" }, uniqueItems: true } },
    required: ["size"],
    additionalProperties: false,
  },
  handler: ({ size }) => `ordered ${size}`,
});
const wait = defineTool({ name: "wait", description: "Waits.", inputSchema: { type: "object" }, handler: () => "waited" });

const registry = createRegistry({ policy: readPolicyConfig({ agents: { shop: { tools: { deny: ["wait"] } } } }) });
for (const tool of [order, wait]) registry.register(tool);
const { grammar, losses } = toolCallGrammarWithReport(registry.view({ agent: "shop" }).tools); // only what this caller may use
for (const { tool, path, keyword, note } of losses) console.log(`${tool} ${path} ${keyword}: ${note}`);
// #endregion
assert(grammar.includes("root ::=") && grammar.includes("order") && !grammar.includes("wait"));
assert.equal(losses.length, 1);

// #region options
const tools = registry.list();
const free = toolCallGrammar(tools, { choice: "auto" }); // text, a call, or text and then a call
const named = toolCallGrammar(tools, { choice: { tool: "wait" }, form: "tool" }); // {"tool": "wait", "args": {}}
const several = toolCallGrammar(tools, { parallel: true }); // a JSON list of one or more
// #endregion
assert(new Set([free, named, several]).size === 3 && !named.includes("order"));
assert.equal(toolCallStructuralTag(tools).type, "structural_tag");

// #region backend
for (const backend of [backends["llama.cpp"], backends.vllm, backends.ollama, backends.text]) {
  const { constraint, fallback } = resolveConstraint(tools, "hybrid", backend);
  console.log(`${backend.name}: ${constraint.kind}. ${fallback ?? ""}`.trim());
}
// #endregion
