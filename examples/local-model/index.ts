// A model without native tool calls: a dialect for the prompt, the calls and the results.
import assert from "node:assert/strict";
// #region imports
import { createRegistry, defineTool } from "@toolrack/core";
import { toolCallGrammar } from "@toolrack/core/grammar";
import { dialectFor, findToolCalls, toolBias } from "@toolrack/core/prompt";

const read = defineTool({
  name: "read",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  handler: ({ path }) => `the text of ${path}`,
});
const registry = createRegistry();
registry.register(read);
const { tools } = registry.view({ agent: "coder" });
// #endregion

// #region dialect
const dialect = dialectFor("qwen2.5-coder:32b"); // or dialectFor("my-tune", { family: "qwen" })
const system = dialect.promptFor(tools); // goes into the system prompt
const grammar = toolCallGrammar(tools, { form: dialect.form, choice: "auto" }); // goes to the engine, if it supports grammars
// #endregion
console.log(system);
assert(grammar.includes("<tool_call>"));

// #region reply
const reply = `I will read it first.
<tool_call>
{"name": "read", "arguments": {"path": "notes/\\"old\\" ünïcode.md"}}
</tool_call>`;
const found = dialect.readCalls(reply, ["read"]);
for (const { name, input } of found.calls) {
  const result = await registry.invoke(name, input, { caller: { agent: "coder" } });
  const content = result.ok ? result.content : result.error;
  console.log({ role: dialect.resultRole, content: dialect.writeResult({ name, ok: result.ok, content }) });
}
// #endregion
assert.equal(found.text, "I will read it first.");
assert.deepEqual(found.calls, dialect.readCalls(dialect.writeCalls(found.calls)).calls);

// #region noisy
const noisy = 'Sure! ```json\n{"tool": "read", "args": {"path": "a.md"}}\n``` Note that {"name": "Ada"} is data.';
console.log(findToolCalls(noisy, { tools: ["read"] }));
console.log(findToolCalls('Here it comes: {"name": "read", "arguments": {"path": "a').unfinished?.name);
// #endregion
assert.equal(findToolCalls(noisy, { tools: ["read"] }).calls.length, 1);
assert.deepEqual(findToolCalls("In C you write int main() { return 0; }").calls, []);

// #region bias
console.log({ ...toolBias(tools, { calls: { read: 4 } }) }); // read was called often already
// #endregion
