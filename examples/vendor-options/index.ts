// Options of an export, what it leaves out, and how to check beforehand what a vendor refuses.
import assert from "node:assert/strict";
// #region imports
import { defineTool } from "@toolrack/core";
import { lintTool } from "@toolrack/core/lint";
import { checkVendorSchema, type ExportedTools, exportTools, providerFor, providerTargets, readCalls } from "@toolrack/core/vendors";
import { mockTool } from "@toolrack/core/testing";
// #endregion

// #region left-out
const print = ({ diagnostics }: ExportedTools): void => {
  for (const { severity, code, message } of diagnostics) console.log(`${severity} ${code}: ${message}`);
};

const patch = mockTool("apply_patch", { metadata: { models: ["gpt-5*", "*codex*"] } });
const tools = [patch, mockTool("read"), mockTool("read"), { ...mockTool("bad"), inputSchema: { type: "array" } }];
const exported = exportTools(tools, "anthropic", { model: "claude-sonnet-4-5" });
print(exported);
// #endregion
assert.deepEqual(Object.values(exported.names), ["read"]);
assert.equal(Object.keys(exportTools([patch], "openai", { model: "gpt-5-mini" }).names).length, 1);

// #region aliases
const read = defineTool({
  name: "read",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  metadata: { aliases: { file_path: "path" }, examples: [{ description: "notes", input: { path: "notes.md" } }] },
  handler: ({ path }) => `the text of ${path}`,
});
const claude = exportTools([read], "anthropic", { examples: true });
console.dir(claude.tools, { depth: null });
const reply = { content: [{ type: "tool_use", id: "toolu_1", name: "read", input: { file_path: "notes.md" } }] };
console.log(readCalls(reply, claude)[0]?.input);
// #endregion
assert.deepEqual(readCalls(reply, claude)[0]?.input, { path: "notes.md" });

// #region check
const search = defineTool({
  name: "search",
  description: "Finds documents by their text or by their number.",
  inputSchema: {
    type: "object",
    properties: { query: { anyOf: [{ type: "string", pattern: "^(?!\\s)" }, { type: "integer" }] } },
    required: ["query"],
  },
  handler: () => "nothing found",
});
for (const { path, message } of checkVendorSchema(search.inputSchema, "openai-strict")) console.log(`${path || "/"}  ${message}`);
const findings = lintTool(search, { vendors: ["openai-strict", "deepseek"] });
for (const { rule, path, message } of findings) if (rule === "vendor-schema") console.log(`${path}  ${message}`);
// #endregion
assert(findings.some(({ rule }) => rule === "vendor-schema"));
assert.deepEqual(checkVendorSchema(search.inputSchema, "anthropic"), []);

console.log("\nEvery target:");
// #region targets
for (const target of providerTargets) {
  const { limits } = providerFor(target);
  console.log(`${target.padEnd(16)}  ${limits.name.source.padEnd(32)}  ${limits.tools ?? ""}`.trimEnd());
}
// #endregion
