import type { ConditionRule } from "../calls/rules.ts";
import type { PathRule } from "../paths/rules.ts";
import type { ToolPolicy } from "../policy.ts";
import type { UnknownAgents } from "../steps/unknown-agents.ts";

/** Who may use what, as an operator writes it. Every key is optional; an unknown one is an error. */
export interface PolicyConfig {
  /**
   * What unlisted agents may use: "deny" means nothing, "allow" what the rules for everybody permit. An agent is listed if it is under
   * `agents` or was passed as `knownAgents`; the owner always is. @default "allow"; a server sets "deny"
   */
  readonly unknownAgents?: UnknownAgents;
  /** For everybody. */
  readonly tools?: ToolsConfig;
  /** By agent id. */
  readonly agents?: Readonly<Record<string, AgentConfig>>;
  /** By channel: "telegram". */
  readonly channels?: Readonly<Record<string, ChannelConfig>>;
  /** For agents that run in a sandbox; each list that is missing has a default. */
  readonly sandbox?: SandboxConfig;
  /** For agents that another agent spawned; some tools are denied by default. */
  readonly subagents?: SubagentsConfig;
  /** By phase of a run. Once there are phases, a run in a phase that is not listed has no tools, unless "*" is. */
  readonly phases?: Readonly<Record<string, PhaseConfig>>;
  /** Groups of your own: payments → `group:payments`. They hold names, globs, plugin ids and the catalog's groups. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Profiles of your own, beside minimal, coding, messaging and full. */
  readonly profiles?: Readonly<Record<string, ToolPolicy>>;
}

export interface ProviderToolsConfig extends ToolPolicy {
  readonly profile?: string;
}

export interface ToolsConfig extends ProviderToolsConfig {
  /** By "provider/model", else by "provider"; only the first match counts. */
  readonly byProvider?: Readonly<Record<string, ProviderToolsConfig>>;
  /** Which paths tools may be given. */
  readonly paths?: readonly PathRule[];
  /** Which arguments tools may be given. */
  readonly conditions?: readonly ConditionRule[];
}

export interface AgentConfig {
  readonly tools?: ToolsConfig;
  readonly sandbox?: SandboxConfig;
}

export interface SandboxConfig {
  readonly tools?: ToolPolicy;
}

export interface SubagentsConfig {
  readonly tools?: ToolPolicy;
  /** From this depth on a spawned agent cannot spawn others, and more tools are denied. @default 1 */
  readonly maxSpawnDepth?: number;
}

export interface SenderConfig {
  readonly tools?: ToolPolicy;
  /** By sender: "id:42", "username:ada", "e164:+49…", "name:Ada", "*"; a key without a kind is an id. Takes precedence over `tools`. */
  readonly toolsBySender?: Readonly<Record<string, ToolPolicy>>;
}

export interface ChannelConfig extends SenderConfig {
  /** By group id, else "*". */
  readonly groups?: Readonly<Record<string, SenderConfig>>;
}

/** The tools of the phase, a policy, or several policies that are all applied. */
export type PhaseConfig = readonly string[] | ToolPolicy | readonly ToolPolicy[];

/** A path in a configuration: ["agents", "support", "tools", "deny", 0]. */
export type ConfigPath = readonly (string | number)[];

/** Returns the file and line of a path, for messages: "toolrack.config.yaml:12", or just 12. */
export type Locate = (path: ConfigPath) => string | number | undefined;
