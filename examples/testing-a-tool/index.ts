// The test kit works with any test runner. Here it runs without one.
import assert from "node:assert/strict";
// #region imports
import { createRegistry, defineTool } from "@toolrack/core";
import { assertTool, createFakeSecrets, findDrift, mockTool, testTool } from "@toolrack/core/testing";
// #endregion

// #region tool
interface Catalog {
  find(text: string): readonly string[];
}

const lookup = defineTool({
  name: "lookup",
  description: "Finds products whose name contains a text.",
  inputSchema: {
    type: "object",
    properties: {
      text: { type: "string", description: "What to look for." },
      limit: { type: "integer", default: 5, description: "At most." },
    },
    required: ["text"],
  },
  outputSchema: { type: "object", properties: { products: { type: "array", items: { type: "string" } } }, required: ["products"] },
  metadata: {
    secrets: ["CATALOG_KEY"],
    examples: [{ description: "shoes", input: { text: "shoes" }, output: { products: ["red shoes"] }, usage: "result.products[0]" }],
  },
  async handler({ text, limit }, context: { services: Catalog; secret(name: string): Promise<string> }) {
    await context.secret("CATALOG_KEY");
    return { products: context.services.find(text).slice(0, limit) };
  },
});
// #endregion

// #region kit
const fakes = {
  services: { find: (text: string) => ["red shoes", "rain coat"].filter((name) => name.includes(text)) },
  secrets: createFakeSecrets({ CATALOG_KEY: "not-a-real-key" }),
};
const report = await testTool(lookup, fakes);
for (const check of report.checks) console.log(`${check.ok ? "ok    " : "FAILED"} ${check.name}`);
await assertTool(lookup, fakes); // in a test: throws one error that lists all failures
// #endregion
assert(report.ok);

// #region drift
const drifted = defineTool({
  ...lookup,
  handler: (input: Record<string, unknown>) => ({ products: [`${input["text"]} in ${input["colour"]}`] }),
});
const drift = await findDrift(drifted, fakes);
for (const finding of drift.findings) console.log(`${finding.kind}: ${finding.message}`);
// #endregion
assert(!drift.ok && drift.findings[0]?.path === "colour");

// #region mock
const search = mockTool("search", { results: [["red shoes"], []] });
const registry = createRegistry();
registry.register(search);
await registry.invoke("search", { text: "shoes" }, { caller: { agent: "sales" } });
console.log("search was called with", JSON.stringify(search.calls[0]?.input), "by", search.calls[0]?.caller.agent);
// #endregion
assert.deepEqual(search.calls.length, 1);
