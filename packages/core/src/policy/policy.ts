import type { Caller } from "../tool/context.ts";
import type { ToolMetadata } from "../tool/metadata.ts";

/** A policy applies to anything with a name; the rest of a tool does not matter here. */
export interface PolicyTool {
  readonly name: string;
  readonly metadata?: ToolMetadata;
}

/**
 * The lists in one part of a configuration. An entry is a tool's name, a glob (`*` only, anchored at both ends),
 * `group:<name>`, `group:plugins`, or a plugin's id.
 */
export interface ToolPolicy {
  /** Only these; missing or empty restricts nothing. */
  readonly allow?: readonly string[];
  /** Adds to `allow` of the same part; without `allow` it restricts nothing. */
  readonly alsoAllow?: readonly string[];
  /** Never these: wins over `allow`, and no later step can undo it. */
  readonly deny?: readonly string[];
  /** These are offered, and each call needs a person's approval. */
  readonly ask?: readonly string[];
}

export type ListName = keyof ToolPolicy;

export type StepId =
  | "unknownAgents"
  | "profile"
  | "providerProfile"
  | "global"
  | "globalProvider"
  | "agent"
  | "agentProvider"
  | "group"
  | "sandbox"
  | "subagent"
  | "phase"
  | "inherited";

/** One labelled filter: it keeps a subset of what the steps before it kept. */
export interface ToolPolicyStep extends ToolPolicy {
  readonly id: StepId;
  /** Its path in the configuration: "agents.support.tools". */
  readonly label: string;
  /** Whether entries that match nothing are warned about, and lists that name only plugin tools are ignored. @default true */
  readonly analyse?: boolean;
  /** Applies an allow list even if it names only plugin tools. @default false */
  readonly strict?: boolean;
  /** The profile whose list this is; tools join it by `metadata.profiles`. */
  readonly profile?: string;
  /** For a step without a configured list: completes "exec is hidden because …". */
  readonly reason?: string | ((caller: Caller) => string);
  /** What would make a tool available to this caller, or tools in general if none is given; used with `reason`. */
  readonly remedy?: (tool: PolicyTool | undefined, caller: Caller) => string;
  /** Where a list, or the entry at a position in it, was read. @default the label and the name of the list */
  readonly locationOf?: (list: ListName, position?: number) => PolicyLocation;
}

export interface PolicyLocation {
  /** "agents.support.tools.deny" */
  readonly label: string;
  /** "toolrack.config.yaml:12" */
  readonly source?: string;
  /** For a default list or entry: the list in which the tool's own name overrides it. */
  readonly lift?: string;
}

/** What decided: a list of a step, or a gate, which comes before the steps. */
export type DecisionRule = "none" | "allow" | "deny" | "not-in-allow" | GateRule;

export type GateRule = "owner-only" | "capability" | "state" | "when" | "model" | "optional-plugin" | "path-rule" | "inherited";

export interface Decision {
  readonly name: string;
  readonly allowed: boolean;
  /** Present if each call of the tool needs a person's approval. */
  readonly ask?: AskRule;
  readonly rule: DecisionRule;
  readonly step?: StepId;
  /** The list that decided: "agents.support.tools.deny". */
  readonly label?: string;
  /** The entry that decided, as it is written there: "group:runtime". */
  readonly entry?: string;
  /** File and line of that entry, if known. */
  readonly source?: string;
  /** Why a gate, or a step without a configured list, hides the tool: "it needs git, which is not on the PATH". */
  readonly reason?: string;
  /** The name that the entry matched, if the tool was renamed. */
  readonly matched?: string;
  /** How its source registered the tool, if it was renamed. */
  readonly registered?: RegisteredName;
}

export interface RegisteredName {
  readonly name: string;
  /** Whether entries that allow may name the tool as it is shown, because an admin stands for that name. Those that restrict always may. */
  readonly isConfirmed: boolean;
}

export interface AskRule {
  readonly step: StepId;
  readonly label: string;
  readonly entry: string;
  readonly source?: string;
  /** The name that the entry matched, if the tool was renamed. */
  readonly matched?: string;
}

export type WarningKind =
  | "plugin-only-allow"
  | "unknown-allow"
  | "unavailable"
  | "unknown-deny"
  | "unknown-ask"
  | "unknown-rule"
  | "unreachable"
  | "required-hidden"
  | "unknown-agent"
  | "unknown-phase"
  | "anonymous-unlimited"
  | "path-rule";

export interface PolicyWarning {
  readonly step: StepId;
  readonly kind: WarningKind;
  /** The entries, normalised; for `required-hidden` and `path-rule` the tools, for the kinds about callers the agent or phase. */
  readonly entries: readonly string[];
  /** The nearest known name for the first entry that has one. */
  readonly suggestion?: string;
  readonly label: string;
  readonly message: string;
}
