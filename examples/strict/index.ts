// Strict schemas: the vendor enforces them, and values are converted in both directions.
import assert from "node:assert/strict";
// #region imports
import { createRegistry, defineTool } from "@toolrack/core";
import { adaptSchema, exportTools, readCalls } from "@toolrack/core/vendors";
// #endregion

// #region tool
const label = defineTool({
  name: "label",
  description: "Puts labels on an order.",
  inputSchema: {
    type: "object",
    properties: {
      order: { type: "string" },
      note: { type: "string" },
      labels: { type: "object", additionalProperties: { type: "string" } },
    },
    required: ["order", "labels"],
  },
  handler: ({ order, labels }) => `${order}: ${Object.entries(labels).join("; ")}`,
});
// #endregion

// #region adapt
const adapted = adaptSchema(label.inputSchema, "openai-strict");
console.dir(adapted.schema, { depth: null });
for (const { path, keyword, note } of adapted.losses) console.log(`lost at ${path || "/"}: ${keyword}, ${note}`);
// #endregion

// #region there
const value = { order: "A7", labels: { colour: "red", "gift wrap": "yes" } };
const encoded = adapted.encode(value); // what a model under this schema writes
console.dir(encoded, { depth: null });
console.log(adapted.decode(encoded));
// #endregion
assert(adapted.strict);
assert.deepEqual(adapted.decode(encoded), value);

// #region round
const registry = createRegistry();
registry.register(label);
const exported = exportTools(registry.view({}).tools, "openai-strict");
const reply = { output: [{ type: "function_call", call_id: "call_1", name: "label", arguments: JSON.stringify(encoded) }] };
const [call] = readCalls(reply, exported); // decoded already
const result = await registry.invoke(call!.name, call!.input);
console.log(result.ok && result.content);
// #endregion
assert(result.ok && result.content === "A7: colour,red; gift wrap,yes");

// #region carry
const open = adaptSchema(label.inputSchema, "openai-strict", { undeclared: "carry" });
const more = { ...value, urgent: true }; // the schema does not forbid this key
console.log(open.losses.length, open.decode(open.encode(more)));
// #endregion
assert.deepEqual(open.decode(open.encode(more)), more);
