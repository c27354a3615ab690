import { decideTools } from "../policy/decide/decide.ts";
import type { PolicyTool, ToolPolicyStep } from "../policy/policy.ts";
import { type AnyTool, readTool } from "../tool/shapes.ts";
import type { ToolDefinition } from "../tool/tool.ts";

/** A channel, such as a messenger, with the tools that agents get on it. */
export interface ChannelWithTools<Config = unknown> {
  readonly id: string;
  readonly agentTools?: readonly AnyTool[] | ((input: { readonly config: Config | undefined }) => readonly AnyTool[]);
}

/** The tools of all channels, in their order; for the stage `channel` of `assembleTools`. A channel that fails throws. */
export function listChannelAgentTools<Config>(channels: readonly ChannelWithTools<Config>[], config?: Config): ToolDefinition[] {
  return channels.flatMap(({ agentTools = [] }) => (typeof agentTools === "function" ? agentTools({ config }) : agentTools).map(readTool));
}

/** Whether a policy's `group:openclaw` matches the tool: by the catalog, or because its metadata puts it into that group. */
export function includeInOpenClawGroup(tool: PolicyTool): boolean {
  return decideTools({ tools: [tool], steps: [openClawOnly], gates: [] }).tools.length === 1;
}

const openClawOnly: ToolPolicyStep = { id: "global", label: "tools", allow: ["group:openclaw"], strict: true, analyse: false };
