// Lint checks a tool from the point of view of a model and its vendor, and suggests fixes.
import assert from "node:assert/strict";
// #region imports
import { lintRules, lintTool } from "@toolrack/core/lint";
// #endregion

// #region lint
const findings = lintTool({
  name: "send",
  description: "Sends a message.",
  inputSchema: {
    type: "object",
    properties: { to: { type: "string" }, subject: { type: ["string", "null"], description: "What it is about." } },
    required: ["to", "body"],
  },
  handler: () => "sent",
});
for (const { rule, severity, path, message, fix } of findings) console.log(`${severity} ${rule} at ${path}\n  ${message}\n  ${fix}`);
// #endregion
assert(findings.some((finding) => finding.rule === "required-not-in-properties" && finding.severity === "error"));

console.log("\nEvery rule:");
for (const { id, severity, finds } of lintRules) console.log(`${severity.padEnd(7)}  ${id}\n         ${finds}`);
