// An array of tools and three functions, without a registry.
import assert from "node:assert/strict";
// #region imports
import type { ToolDefinition } from "@toolrack/core";
import { executeTool, exportForApi, findTool } from "@toolrack/core/array";
// #endregion

// #region array
const tools: ToolDefinition[] = [
  {
    name: "add",
    description: "Adds two numbers.",
    inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
    handler: ({ a, b }: { a: number; b: number }) => String(a + b),
  },
  {
    name: "now",
    description: "Tells the time of day.",
    inputSchema: { type: "object" },
    handler: () => "12:00",
  },
];
// #endregion

// #region use
const forTheModel = exportForApi(tools); // [{ name, description, input_schema }, …]
const result = await executeTool(findTool(tools, "add"), { a: 19, b: 23 });
// #endregion

console.log(`The model is told of ${forTheModel.map((tool) => tool.name).join(" and ")}.`);
console.log(`19 + 23 = ${result.ok && result.content}`);
assert.deepEqual(Object.keys(forTheModel[0]!), ["name", "description", "input_schema"]);
assert(result.ok && result.content === "42");
assert.equal(findTool(tools, "subtract"), undefined);

// Failures are returned as results; nothing is thrown.
const wrong = await executeTool(tools[0]!, { a: "19" });
assert(!wrong.ok);
console.log(wrong.error);
