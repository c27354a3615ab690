// Who may use what, decided by one function for lists and for calls, and explained.
import assert from "node:assert/strict";
// #region imports
import { createRegistry, defineTool, type ToolDefinition } from "@toolrack/core";
import { type PolicyConfig, readPolicyConfig } from "@toolrack/core/policy";
import { createFakeApprover, mockTool } from "@toolrack/core/testing";
// #endregion

// #region policy
const policy: PolicyConfig = {
  tools: { deny: ["gateway"] }, // for all callers, and final
  groups: { shop: ["lookup", "refund"] },
  agents: {
    support: { tools: { allow: ["group:shop", "web_*"], ask: ["refund"] } },
    builder: {
      tools: {
        allow: ["group:fs", "exec"],
        conditions: [{ tool: "exec", allow: 'argv[0] in ["git", "npm"]', reason: "Only git and npm may be run." }],
        paths: [{ tool: "write", allow: ["src/**"] }],
      },
    },
  },
};
// #endregion

// #region registry
const exec = defineTool({
  name: "exec",
  description: "Runs a program.",
  inputSchema: { type: "object", properties: { argv: { type: "array", items: { type: "string" }, minItems: 1 } }, required: ["argv"] },
  handler: ({ argv }) => `ran ${argv.join(" ")}`,
});
const write: ToolDefinition = mockTool("write", { metadata: { paths: ["path"] }, result: "written" });

const approver = createFakeApprover({ action: "accept" });
const registry = createRegistry({ policy: readPolicyConfig(policy), approver, workspace: { root: "." } });
for (const name of ["gateway", "read", "web_search", "lookup", "refund"]) registry.register(mockTool(name));
for (const tool of [exec, write]) registry.register(tool);
// #endregion

// #region view
const names = (agent: string): string =>
  registry
    .view({ agent })
    .tools.map((tool) => tool.name)
    .join(", ");
console.log("support sees", names("support"));
console.log("builder sees", names("builder"));
console.log("others see", names("somebody"));
// #endregion
assert.equal(names("support"), "web_search, lookup, refund");
assert.equal(names("builder"), "read, exec, write");

// #region explain
for (const sentence of registry.explain("exec", { agent: "support" }).sentences) console.log(sentence);
// #endregion

// #region calls
const call = async (agent: string, name: string, input: unknown): Promise<string> => {
  const result = await registry.invoke(name, input, { caller: { agent } });
  return result.ok ? `ok ${result.content}` : `${result.code}: ${result.error}`;
};
console.log(await call("builder", "exec", { argv: ["git", "status"] }));
console.log(await call("builder", "exec", { argv: ["curl", "example.com"] }));
console.log(await call("builder", "write", { path: "docs/a.md" }));
console.log(await call("support", "refund", {}), "- a person was asked:", approver.requests[0]?.message);
// #endregion
assert.equal(await call("builder", "write", { path: "src/a.ts" }), "ok written");
assert.match(await call("builder", "exec", { argv: ["curl"] }), /^TOOL_NOT_ALLOWED/);

// #region warnings
registry.setPolicy(readPolicyConfig({ tools: { deny: ["web_serch"] } }));
for (const { message } of registry.view({}).warnings) console.log(message);
// #endregion
assert.equal(registry.view({}).warnings[0]?.suggestion, "web_search");
