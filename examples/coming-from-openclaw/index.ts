// row: I18
// The tools of an OpenClaw agent: helpers, a tool with actions, the policy pipeline, and the assembly in seven steps.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// #region imports
import { ToolInputError } from "@toolrack/core";
import { executeTool, findTool } from "@toolrack/core/array";
import {
  type AnyAgentTool,
  applyToolPolicyPipeline,
  buildDefaultToolPolicyPipelineSteps,
  createActionGate,
  includeInOpenClawGroup,
  readStringParam,
  resolveCoreToolProfilePolicy,
  type ToolPolicyLike,
} from "@toolrack/core/compat";
import { coreToolCatalog } from "@toolrack/core/policy";
import { createOpenClawCodingTools } from "@toolrack/tools";
// #endregion

const config = { actions: { pin: false } as Record<string, boolean> };
// #region tool
const gate = createActionGate(config.actions);
const telegram: AnyAgentTool = {
  name: "telegram",
  description: "Sends and pins messages.",
  parameters: { type: "object", properties: { action: { type: "string" }, chat_id: { type: "string" } }, required: ["action"] },
  ownerOnly: true,
  async execute(params) {
    const action = readStringParam(params, "action", { required: true });
    if (!gate(action)) throw new ToolInputError(`The action ${action} is disabled.`);
    const chatId = readStringParam(params, "chatId"); // finds chat_id, too
    return { content: [{ type: "text", text: `${action} in ${chatId}` }], details: { chatId } };
  },
};
// #endregion

// #region policy
const globalPolicy: ToolPolicyLike = { deny: ["group:runtime"] };
const steps = buildDefaultToolPolicyPipelineSteps({ profilePolicy: resolveCoreToolProfilePolicy("coding")!, globalPolicy });
const { tools: permitted } = applyToolPolicyPipeline({ tools: coreToolCatalog.map(({ name }) => ({ name })), steps });
console.log(permitted.map(({ name }) => name).join(" "));
console.log(coreToolCatalog.filter(includeInOpenClawGroup).length, "tools are in group:openclaw");
// #endregion

const workspace = mkdtempSync(join(tmpdir(), "toolrack-openclaw-"));
writeFileSync(join(workspace, "notes.txt"), "Buy tea.\n");
// #region assemble
const { tools, trace } = createOpenClawCodingTools({
  workspace,
  agent: "coder",
  model: "gpt-5",
  owner: true,
  channels: [{ id: "telegram", agentTools: [telegram] }],
  config: { tools: { deny: ["group:runtime", "group:web", "group:media", "group:ui"] } },
  beforeToolCall: ({ tool }) => console.log(`calls ${tool}`),
});
for (const { stage, count, added } of trace) console.log(`${stage.padEnd(8)} ${count}`, added.slice(0, 6).join(" "));
const text = await executeTool(findTool(tools, "read"), { path: "notes.txt" });
const sent = await executeTool(findTool(tools, "telegram"), { action: "send", chat_id: "42" });
const pinned = await executeTool(findTool(tools, "telegram"), { action: "pin", chat_id: "42" });
console.log(sent.ok && sent.content, "|", pinned.ok || pinned.error);
// #endregion
assert(text.ok && text.content.includes("Buy tea."));
assert(sent.ok && !pinned.ok && pinned.code === "INPUT_INVALID");
assert(!tools.some(({ name }) => name === "exec" || name === "web_fetch"));
rmSync(workspace, { recursive: true });
