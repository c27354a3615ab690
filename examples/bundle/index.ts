// Two agents use different sets of tools from one registry.
import assert from "node:assert/strict";
// #region imports
import { createRegistry, defineBundle } from "@toolrack/core";
import { exportForApi } from "@toolrack/core/array";
import { codeAgentBundle } from "@toolrack/core/compat";
import { mockTool } from "@toolrack/core/testing";
// #endregion

const registry = createRegistry();
for (const name of ["file", "code_edit", "search", "navigate", "web_search", "calendar"]) registry.register(mockTool(name));

// #region shipped
const coder = registry.applyBundle(codeAgentBundle);
console.log("The code agent gets", coder.tools.map((tool) => tool.name).join(", "));
console.log("and cannot do without", coder.missing.join(", "));
// #endregion
assert.deepEqual(coder.missing, ["git"]);

registry.register(mockTool("git"));
assert.deepEqual(registry.applyBundle(codeAgentBundle).missing, []);
console.log("With git registered, nothing is missing; bash and test are optional.");

// #region own
const researcher = defineBundle({
  name: "researcher",
  description: "Reads the web and keeps appointments.",
  required: ["web_search"],
  optional: ["calendar", "notes"],
});
const { tools, missing } = registry.applyBundle(researcher);
const forTheModel = exportForApi(tools);
// #endregion
console.log("The researcher gets", forTheModel.map((tool) => tool.name).join(", "));
assert.deepEqual(
  forTheModel.map((tool) => tool.name),
  ["web_search", "calendar"],
);
assert.deepEqual(missing, []);
