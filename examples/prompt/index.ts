// The tool section of a system prompt, within a budget.
import assert from "node:assert/strict";
// #region imports
import { createRegistry, defineTool } from "@toolrack/core";
import { isTaskComplete, toolSection } from "@toolrack/core/prompt";

const registry = createRegistry();
registry.register(
  defineTool({
    name: "random",
    description: "Draws random numbers. The same seed gives the same numbers.",
    inputSchema: {
      type: "object",
      properties: { count: { type: "integer", minimum: 1, maximum: 100, default: 1, description: "How many." }, seed: { type: "string" } },
    },
    outputSchema: { type: "object", properties: { numbers: { type: "array", items: { type: "number" } } } },
    metadata: {
      category: "utility",
      usageHint: "For anything that must not be guessed.",
      examples: [{ description: "one number", input: { count: 1 }, output: { numbers: [0.42] }, usage: "result.numbers[0]" }],
    },
    handler: () => ({ numbers: [0.42] }),
  }),
);
for (const [name, category] of [
  ["git_commit", "vcs"],
  ["web_search", "research"],
] as const)
  registry.register(
    defineTool({
      name,
      description: category === "vcs" ? "Commits what has changed." : "Searches the web.",
      inputSchema: { type: "object" },
      metadata: { category, optionality: "optional" },
      handler: () => "done",
    }),
  );
// #endregion

// #region full
const full = toolSection(registry.view({}).tools, { guidance: true, completion: true });
console.log(full.text);
// #endregion
assert(full.fits && full.tier === "full");

// #region budget
const small = toolSection(registry.view({}).tools, { maxTokens: 60 });
console.log(small.text);
console.log(`${small.tier}, about ${small.tokens} tokens`);
// #endregion
assert(small.tokens <= 60);

// #region task
const forTask = toolSection(registry.view({}).tools, { tier: "summary", task: { type: "debug", hints: "fix the build and commit it" } });
console.log(forTask.tools, "without", forTask.omitted);
// #endregion
assert.deepEqual(forTask.omitted, ["web_search"]);

// #region complete
console.log(isTaskComplete("All tests pass.\n\nTASK_COMPLETE"));
// #endregion
