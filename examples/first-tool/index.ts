// The steps of docs/start/first-tool.md.
import assert from "node:assert/strict";
// #region define
// #region imports
import { createRegistry, defineTool } from "@toolrack/core";
// #endregion

const rollDice = defineTool({
  name: "roll_dice",
  description: "Rolls dice and returns what they show.",
  inputSchema: {
    type: "object",
    properties: {
      count: { type: "integer", minimum: 1, maximum: 10, description: "How many dice." },
      sides: { type: "integer", enum: [6, 12, 20], default: 6, description: "How many sides each has." },
    },
    required: ["count"],
    additionalProperties: false,
  },
  handler({ count, sides }) {
    const rolled = Array.from({ length: count }, () => 1 + Math.floor(Math.random() * sides));
    return { rolled, sum: rolled.reduce((sum, one) => sum + one, 0) };
  },
});
// #endregion

// #region register
const registry = createRegistry();
registry.register(rollDice);
// #endregion

// #region call
const result = await registry.invoke("roll_dice", { count: 2 });
if (result.ok) console.log("The dice show", result.content);
else console.log("It did not work:", result.error);
// #endregion
assert(result.ok && (result.data as { rolled: number[] }).rolled.length === 2);

// #region wrong
const wrong = await registry.invoke("roll_dice", { count: 100, side: 6 });
if (!wrong.ok) console.log(wrong.error);
// #endregion
assert(!wrong.ok && wrong.issues?.length === 2);

// #region unknown
const unknown = await registry.invoke("roll_die", { count: 2 });
if (!unknown.ok) console.log(`${unknown.code}: ${unknown.error}`);
// #endregion
assert(!unknown.ok && unknown.code === "TOOL_NOT_FOUND");

// #region describe
for (const { name, description } of registry.describe()) console.log(`${name}: ${description}`);
// #endregion
