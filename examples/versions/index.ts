// Several versions of one tool, names that are taken, copies and merges.
import assert from "node:assert/strict";
// #region imports
import { createRegistry, defineTool, ToolError } from "@toolrack/core";
// #endregion

// #region tool
const search = (version: string) =>
  defineTool({
    name: "search",
    version,
    description: "Finds pages.",
    inputSchema: { type: "object" },
    handler: () => `found by ${version}`,
  });
// #endregion
// #region ask
const ask = async (name: string): Promise<string> => {
  const result = await registry.invoke(name, {});
  return result.ok ? result.content : result.code;
};
// #endregion

// #region versions
const registry = createRegistry();
for (const version of ["1.4.0", "2.0.0", "3.0.0-beta.1"]) registry.register(search(version));
console.log("search        →", await ask("search")); // the newest release
console.log("search@^1.0.0 →", await ask("search@^1.0.0"));
console.log("search@1.4.0  →", await ask("search@1.4.0"));
// #endregion
assert.equal(await ask("search"), "found by 2.0.0");
assert.equal(await ask("search@^1.0.0"), "found by 1.4.0");
assert.equal(await ask("search@^9.0.0"), "TOOL_NOT_FOUND");

// #region conflict
try {
  registry.register(search("2.0.0"));
} catch (error) {
  if (ToolError.is(error)) console.log(`${error.code}: ${error.message}`);
}
registry.register(search("2.0.0"), { onConflict: "replace" }); // or "keep"
// #endregion

// #region deprecated
registry.register({ ...search("1.4.0"), name: "find", metadata: { deprecated: { since: "1.4.0", successor: "search" } } });
const old = await registry.invoke("find", {});
console.log(old.meta.warnings);
// #endregion
assert.deepEqual(old.meta.warnings, ['Deprecated since 1.4.0. Use "search" instead.']);

// #region merge
const copy = registry.clone(); // the same tools and options, a life of its own
copy.unregister("search@1.4.0");
const other = createRegistry();
other.register(search("1.4.0"));
const report = copy.merge(other); // { added, replaced, conflicts }
// #endregion
console.log("merged:", report.added.join(), "conflicts:", report.conflicts.length);
assert.deepEqual(report, { added: ["search"], replaced: [], conflicts: [] });
assert.equal(registry.entries().length, copy.entries().length);
