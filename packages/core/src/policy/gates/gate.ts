import type { Caller } from "../../tool/context.ts";
import type { CallRules } from "../calls/rules.ts";
import type { GateRule, PolicyTool } from "../policy.ts";

/**
 * Something that stands before the steps and hides a tool for a reason of the tool's own.
 * Contract: it answers at once, never throws, and a gate that cannot tell is closed.
 */
export type PolicyGate = (tool: PolicyTool, facts: GateFacts) => GateFinding | undefined;

export interface GateFacts {
  readonly caller: Caller;
  /** What stands in a tool's way beyond policy, as its registry knows it. */
  readonly availabilityOf?: (tool: PolicyTool) => GateFinding | undefined;
  /** The rules over the arguments of the caller's calls. */
  readonly rules?: CallRules;
  /** Whether an allow list of some step names this plugin tool, its plugin, or `group:plugins`. */
  readonly isNamed: (tool: PolicyTool) => boolean;
}

export interface GateFinding {
  readonly rule: GateRule;
  /** Completes "exec is hidden, because …". */
  readonly reason: string;
  /** The place in the configuration, where one closed it. */
  readonly label?: string;
  readonly source?: string;
  /** What opens it: "Call it as the owner". */
  readonly remedy?: string;
}
