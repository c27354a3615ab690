// A lint rule of one's own: about each tool alone.
// #region imports
import { defineLintRule } from "@toolrack/core/lint";
// #endregion

// #region rule
export const needsOwner = defineLintRule({
  id: "needs-owner",
  severity: "warning",
  finds: "Tools without a tag that names the team that owns them.",
  check({ metadata }, report) {
    const tags = Array.isArray(metadata["tags"]) ? metadata["tags"] : [];
    if (tags.some((tag) => String(tag).startsWith("owner:"))) return;
    report("/metadata/tags", "No tag names the owner.", 'Add a tag such as "owner:search".');
  },
});
// #endregion

// #region list
export const onePrefix = defineLintRule({
  id: "one-prefix",
  severity: "info",
  finds: "Tools whose names do not begin like the first one's.",
  checkList(tools, report) {
    const [first] = tools;
    const prefix = first?.name?.split("_", 1)[0];
    for (const [index, { name }] of tools.entries()) {
      if (prefix !== undefined && name?.startsWith(prefix) === false)
        report(index, `"${name}" does not begin with "${prefix}".`, "Rename it, or move it to another list.");
    }
  },
});
// #endregion

// #region scan
/** A scan for texts that should not reach a model is a lint rule, too. */
export const noInternalHosts = defineLintRule({
  id: "no-internal-hosts",
  severity: "error",
  finds: "Descriptions that name an internal host.",
  check({ description, properties }, report) {
    const isInternal = (text: unknown): boolean => typeof text === "string" && /\b[\w-]+\.corp\.example\b/.test(text);
    if (isInternal(description)) report("/description", "The description names an internal host.", "Leave the host out.");
    for (const { schema, path } of properties) {
      if (isInternal(schema["description"]))
        report(`${path}/description`, "The description names an internal host.", "Leave the host out.");
    }
  },
});
// #endregion
