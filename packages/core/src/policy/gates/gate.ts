import type { Caller } from "../../tool/context.ts";
import type { CallRules } from "../calls/rules.ts";
import type { GateRule, PolicyTool, StepId } from "../policy.ts";

/**
 * Hides a tool, before any step, for a reason of the tool's own.
 * Contract: it returns synchronously and never throws; a gate that cannot decide hides the tool.
 */
export type PolicyGate = (tool: PolicyTool, facts: GateFacts) => GateFinding | undefined;

export interface GateFacts {
  readonly caller: Caller;
  /** Why a tool is not available, apart from policy, as its registry reports. */
  readonly availabilityOf?: (tool: PolicyTool) => GateFinding | undefined;
  /** The rules over the arguments of the caller's calls. */
  readonly rules?: CallRules;
  /** Whether an allow list of some step names this plugin tool, its plugin, or `group:plugins`. */
  readonly isNamed: (tool: PolicyTool) => boolean;
}

export interface GateFinding {
  readonly rule: GateRule;
  /** For a gate that people know as a step. */
  readonly step?: StepId;
  /** Completes "exec is hidden because …". */
  readonly reason: string;
  /** The path in the configuration, if one decided. */
  readonly label?: string;
  readonly source?: string;
  /** What would make the tool available: "Call it as the owner". */
  readonly remedy?: string;
}
