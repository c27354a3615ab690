// Tools from sources: a source is listed and watched, and a failure stays local.
import assert from "node:assert/strict";
// #region imports
import { codeSource, createRegistry, type ToolSource } from "@toolrack/core";
import { mockTool } from "@toolrack/core/testing";
// #endregion

// #region code
const registry = createRegistry();
const plugins = codeSource("plugins", [mockTool("translate"), mockTool("summarise")]);
await registry.addSource(plugins);
plugins.replace([mockTool("translate")]); // the registry follows
// #endregion

// #region own
let isDown = false;
const catalog: ToolSource = {
  id: "catalog",
  async list({ signal }) {
    signal.throwIfAborted();
    if (isDown) throw new Error("The catalog cannot be reached.");
    return [mockTool("lookup"), mockTool("translate")]; // translate exists already: it is skipped
  },
};
const status = await registry.addSource(catalog);
console.log(status.state, status.tools, status.problems);
// #endregion
assert.deepEqual(status.tools, ["lookup"]);
assert.equal(status.problems.length, 1);

// #region failed
isDown = true; // as if its machine were gone
const failed = await registry.refreshSource("catalog");
console.log(`${failed.state}: ${failed.error}`);
console.log(
  "still there:",
  registry
    .entries()
    .map(({ tool, source }) => `${tool.name} from ${source}`)
    .join(", "),
);
// #endregion
assert.equal(failed.state, "failed");
assert.deepEqual(
  registry.list().map((tool) => tool.name),
  ["translate", "lookup"],
);

await registry.removeSource("catalog");
assert.equal(registry.has("lookup"), false);
await registry.close();
