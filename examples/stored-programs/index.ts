// Tools that are records: a program and a chain, stored, approved by the owner, and called like any other.
import assert from "node:assert/strict";
// #region record
import { openRack } from "@toolrack/server";

const rack = await openRack({ config: { store: { memory: true }, tools: { packs: { utility: true } } }, environment: {} });

await rack.store.put({
  schema_name: "tool.definition.v1",
  title: "Celsius to Fahrenheit",
  tags: ["tool:definition"],
  context: {
    name: "to_fahrenheit",
    description: "Converts degrees Celsius to degrees Fahrenheit.",
    inputSchema: { type: "object", properties: { celsius: { type: "number" } }, required: ["celsius"] },
    outputSchema: { type: "object", properties: { fahrenheit: { type: "number" } }, required: ["fahrenheit"] },
    implementation: { kind: "code", source: "return { fahrenheit: input.celsius * 1.8 + 32 };", tools: [] },
  },
});
// #endregion

await rack.store.put({
  schema_name: "tool.definition.v1",
  title: "Sum in Fahrenheit",
  tags: ["tool:definition"],
  context: {
    name: "warmer",
    description: "Adds degrees Celsius, and tells the sum in Fahrenheit.",
    inputSchema: { type: "object", properties: { celsius: { type: "number" }, more: { type: "number" } }, required: ["celsius", "more"] },
    // #region chain
    implementation: {
      kind: "chain",
      steps: [
        { id: "sum", tool: "calculator", input: { expression: "${input.celsius} + ${input.more}" } },
        { id: "end", tool: "to_fahrenheit", input: { celsius: "${sum.result}" } },
      ],
    },
    // #endregion
  },
});
await rack.registry.refreshSource("records");

const owner = { agent: "local", owner: true };
const result = await rack.call("to_fahrenheit", { celsius: 20 }, { caller: owner }).result;
assert(result.ok);
console.log(result.content);
assert.deepEqual(result.data, { fahrenheit: 68 });

const warmer = await rack.call("warmer", { celsius: 20, more: 10 }, { caller: owner }).result;
assert(warmer.ok);
console.log(warmer.content);
assert.deepEqual(warmer.data, { fahrenheit: 86 });

const wrong = await rack.definitionProblem({
  title: "wrong",
  context: {
    name: "wrong",
    description: "Reads a file.",
    inputSchema: { type: "object" },
    implementation: { kind: "code", source: 'return require("node:fs");' },
  },
});
console.log(wrong);
assert.match(wrong ?? "", /implementation\.source:1:8/);
await rack.close({ graceMs: 0 });
