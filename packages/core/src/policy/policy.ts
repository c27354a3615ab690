import type { ToolMetadata } from "../tool/metadata.ts";

/** Anything with a name can be governed; the rest of a tool does not matter here. */
export interface PolicyTool {
  readonly name: string;
  readonly metadata?: ToolMetadata;
}

/**
 * What one place of a configuration says. An entry is a tool's name, a glob (`*` only, anchored at both ends),
 * `group:<name>`, `group:plugins`, or a plugin's id.
 */
export interface ToolPolicy {
  /** Only these; missing or empty restricts nothing. */
  readonly allow?: readonly string[];
  /** Adds to `allow` of the same place; without one it means "everything, and these". */
  readonly alsoAllow?: readonly string[];
  /** Never these: wins over `allow`, and no later step can undo it. */
  readonly deny?: readonly string[];
  /** These are offered, and each call waits for a person. */
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
  | "phase";

/** One labelled filter: it keeps a subset of what the steps before it kept. */
export interface ToolPolicyStep extends ToolPolicy {
  readonly id: StepId;
  /** Where it lives in the configuration: "agents.support.tools". */
  readonly label: string;
  /** Whether entries that match nothing are warned about, and lists that name only plugin tools are set aside. @default true */
  readonly analyse?: boolean;
  /** Keeps an allow list in force even where it names only plugin tools. @default false */
  readonly strict?: boolean;
  /** The profile whose list this is; tools join it by `metadata.profiles`. */
  readonly profile?: string;
  /** For a step that no list was written for: completes "exec is hidden, because …". */
  readonly reason?: string;
  /** What would open a tool, or tools where none is named; beside `reason`. */
  readonly remedy?: (tool?: PolicyTool) => string;
  /** Where a list, or the entry at a position of it, was read; absent: the label and the list's name. */
  readonly placeOf?: (list: ListName, position?: number) => Place;
}

export interface Place {
  /** "agents.support.tools.deny" */
  readonly label: string;
  /** "toolrack.config.yaml:12" */
  readonly source?: string;
  /** For an entry that nobody wrote: the list in which naming the tool outright takes its place. */
  readonly lift?: string;
}

/** What decided: a list of a step, or a gate that stands before the steps. */
export type DecisionRule = "none" | "allow" | "deny" | "not-in-allow" | GateRule;

export type GateRule = "owner-only" | "capability" | "state" | "when" | "model" | "optional-plugin" | "path-rule";

export interface Decision {
  readonly name: string;
  readonly allowed: boolean;
  /** Present where each call of the tool waits for a person. */
  readonly ask?: AskRule;
  readonly rule: DecisionRule;
  readonly step?: StepId;
  /** The place that decided: "agents.support.tools.deny". */
  readonly label?: string;
  /** The entry that decided, as it is written there: "group:runtime". */
  readonly entry?: string;
  /** File and line of that entry, where the configuration could tell. */
  readonly source?: string;
  /** Why a gate is closed, or a step that nobody wrote a list for hides: "it needs git, which is not on the PATH". */
  readonly reason?: string;
}

export interface AskRule {
  readonly step: StepId;
  readonly label: string;
  readonly entry: string;
  readonly source?: string;
}

export type WarningKind =
  | "plugin-only-allow"
  | "unknown-allow"
  | "unavailable"
  | "unknown-deny"
  | "unknown-ask"
  | "required-hidden"
  | "unknown-agent"
  | "anonymous-unlimited"
  | "path-rule";

export interface PolicyWarning {
  readonly step: StepId;
  readonly kind: WarningKind;
  /** The entries in their normal form; for `required-hidden` and `path-rule` the tools, for the kinds about agents the agent. */
  readonly entries: readonly string[];
  /** The nearest known name for the first entry that has one. */
  readonly suggestion?: string;
  readonly label: string;
  readonly message: string;
}
