// An agent's tools assembled in seven stages, with a report of what each stage did.
import assert from "node:assert/strict";
// #region imports
import { defineTool, type ToolDefinition } from "@toolrack/core";
import { wrapToolWorkspaceRootGuard } from "@toolrack/core/compat";
import { assembleTools, policyFromConfig } from "@toolrack/core/policy";
// #endregion

// #region assemble
const tool = (name: string, metadata?: ToolDefinition["metadata"]): ToolDefinition =>
  defineTool({ name, description: `Does ${name}.`, inputSchema: { type: "object" }, handler: () => name, ...(metadata && { metadata }) });

const { tools, trace } = assembleTools({
  agent: "coder",
  model: "gpt-5",
  channel: "telegram",
  workspace: ".",
  stages: {
    base: ["read", "write", "bash"].map((name) => tool(name)),
    runtime: { remove: ["bash"], add: [tool("exec"), tool("process")] }, // exec replaces bash
    model: [tool("apply_patch", { models: ["gpt-*"] })],
    own: [tool("message"), tool("cron")],
    channel: ({ channel }) => (channel === "telegram" ? [tool("telegram_pin")] : []),
  },
  policy: (caller) => policyFromConfig({ agents: { coder: { tools: { deny: ["group:automation"] } } } }, caller),
  wrap: (one, { workspace }) =>
    workspace !== undefined && ["read", "write"].includes(one.name) ? wrapToolWorkspaceRootGuard(one, workspace) : one,
});
// #endregion

// #region trace
for (const { stage, count, added, removed, wrapped } of trace) {
  console.log(`${stage.padEnd(8)} ${count} tools`, ...added.map((name) => `+${name}`), ...wrapped.map((name) => `(${name})`));
  for (const { name, reason } of removed) console.log(`           -${name}: ${reason}`);
}
// #endregion
assert.deepEqual(
  tools.map(({ name }) => name),
  ["read", "write", "exec", "process", "apply_patch", "message", "telegram_pin"],
);
