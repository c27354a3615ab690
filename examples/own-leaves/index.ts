// Leaves of one's own, each in a file of its own, without a fork: a vendor, a dialect of local models, lint rules.
import assert from "node:assert/strict";
// #region imports
import { defineTool } from "@toolrack/core";
import { toolCallGrammar } from "@toolrack/core/grammar";
import { lintTools } from "@toolrack/core/lint";
import { dialectFor } from "@toolrack/core/prompt";
import { exportTools, readCalls } from "@toolrack/core/vendors";
import { dialectContract, providerContract } from "@toolrack/core/testing";
// #endregion
import { falcon } from "./dialect.ts";
import { needsOwner, noInternalHosts, onePrefix } from "./lint-rule.ts";
import { acme, acmeReply } from "./vendor.ts";

const label = defineTool({
  name: "label",
  description: "Puts labels on a ticket at tickets.corp.example.",
  inputSchema: {
    type: "object",
    properties: { labels: { type: "array", items: { type: "string" }, uniqueItems: true, title: "Labels", description: "Which ones." } },
    required: ["labels"],
  },
  handler: ({ labels }) => `${labels.length} labels`,
});

// #region use-vendor
const exported = exportTools([label], acme);
console.dir(exported.tools, { depth: null });
for (const { tool, path, keyword, note } of exported.losses) console.log(`${tool} loses ${keyword} at ${path}: ${note}`);
const calls = readCalls(acmeReply, exported);
// #endregion
assert.deepEqual(calls, [{ id: "call_1", name: "label", wireName: "label", input: { labels: ["red", "blue"] } }]);

// #region use-dialect
const dialect = dialectFor("tiiuae/Falcon3-7B-Instruct", { dialects: [falcon] });
const system = dialect.promptFor([label]);
const grammar = toolCallGrammar([label], { form: dialect.form });
// #endregion
assert.equal(dialect, falcon);
assert(system.includes("label") && grammar.includes("<tool_call>"));

// #region use-rules
const findings = lintTools([label], { rules: [needsOwner, onePrefix, noInternalHosts], severities: { "no-examples": "off" } });
for (const { rule, severity, path, message } of findings) console.log(`${severity} ${rule} at ${path}: ${message}`);
// #endregion
assert(findings.some(({ rule, severity }) => rule === "no-internal-hosts" && severity === "error"));

// #region contracts
const checks = [
  ...providerContract(acme, { replies: [{ reply: acmeReply, calls: [{ name: "label", input: { labels: ["red", "blue"] } }] }] }),
  ...dialectContract(falcon),
];
for (const { run } of checks) await run(); // in a test: for (const { name, run } of checks) it(name, run);
// #endregion
console.log("All checks of the contracts passed.");
