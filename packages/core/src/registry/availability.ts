import { shellWord } from "../util/shell-word.ts";
import { isObject } from "@toolrack/json-schema/internal";
import type { CircuitBreaker } from "../call/wrappers/limits/circuit-breaker.ts";
import type { ConfigPort } from "../call/ports/config.ts";
import type { SecretsPort } from "../call/ports/secrets.ts";
import { describeThrown } from "../tool/result.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import type { Capabilities } from "./capabilities.ts";

/** How a tool is doing, in the words that every surface shows. Only "ready", "deprecated" and "resting" tools are offered. */
export type ToolState = "ready" | "deprecated" | "resting" | "disabled" | "unavailable" | "needs-configuration" | "draft" | "archived";

export interface Availability {
  readonly state: ToolState;
  /** Why: completes "it is so because …". Absent for "ready". */
  readonly fact?: string;
  /** What to do about it: "Install git and put it on the PATH". */
  readonly remedy?: string;
}

/** Why, and what to do about it, in sentences: 'It needs "git". Install git and put it on the PATH.' */
export function reasonOf({ fact, remedy }: Availability): string | undefined {
  if (fact === undefined) return undefined;
  const sentence = `${fact.charAt(0).toUpperCase()}${fact.slice(1)}.`;
  return remedy === undefined ? sentence : `${sentence} ${remedy}.`;
}

export interface AvailabilityFacts {
  readonly capabilities: Capabilities;
  readonly secrets: SecretsPort;
  readonly config?: ConfigPort | undefined;
  readonly breaker: CircuitBreaker | undefined;
}

const ready: Availability = Object.freeze({ state: "ready" });

/** The first reason why a tool is unavailable. */
export function availabilityOf(tool: ToolDefinition, disabled: string | undefined, facts: AvailabilityFacts): Availability {
  if (disabled !== undefined) return { state: "disabled", fact: withoutStop(disabled) };
  const { metadata } = tool;
  if (metadata === undefined && facts.breaker === undefined) return ready;
  for (const name of metadata?.requiresCapabilities ?? []) {
    const missing = whatIsMissing(name, facts.capabilities);
    if (missing !== undefined) return { state: "unavailable", ...missing };
  }
  for (const name of metadata?.secrets ?? []) {
    if (!facts.secrets.has(name) && !metadata!.optionalSecrets?.includes(name))
      return {
        state: "needs-configuration",
        fact: `the secret "${name}" is not set`,
        remedy: `Set it: toolrack secrets set ${shellWord(name)}`,
      };
  }
  const secrets = metadata?.needsOneSecret === true ? (metadata.secrets ?? []) : [];
  if (secrets.length > 0 && !secrets.some((name) => facts.secrets.has(name)))
    return {
      state: "needs-configuration",
      fact:
        secrets.length === 1
          ? `the secret "${secrets[0]}" is not set`
          : `none of its secrets is set (${secrets.map((name) => `"${name}"`).join(", ")})`,
      remedy: `Set ${secrets.length === 1 ? "it" : "one"}: toolrack secrets set ${shellWord(secrets[0]!)}`,
    };
  const [unset] = metadata?.configSchema === undefined ? [] : (facts.config?.missing?.(tool) ?? []);
  if (unset !== undefined)
    return { state: "needs-configuration", fact: `the setting "${unset}" is not set`, remedy: `Set it: ${setCommand(tool, unset)}` };
  if (facts.breaker !== undefined && facts.breaker.state(tool.name) !== "closed") {
    return { state: "resting", fact: "it failed repeatedly and is tried again after a pause" };
  }
  const deprecated = metadata?.deprecated;
  if (deprecated !== undefined) return { state: "deprecated", fact: withoutStop(deprecationNotice(deprecated)) };
  return ready;
}

/** "toolrack config bash enabled=true" */
function setCommand({ name, metadata }: ToolDefinition, setting: string): string {
  const properties = metadata?.configSchema?.["properties"];
  const schema = isObject(properties) && Object.hasOwn(properties, setting) ? properties[setting] : undefined;
  return `toolrack config ${shellWord(name)} ${shellWord(setting)}=${isObject(schema) && schema["type"] === "boolean" ? "true" : "<value>"}`;
}

function whatIsMissing(name: string, capabilities: Capabilities): Pick<Availability, "fact" | "remedy"> | undefined {
  try {
    return capabilities.has(name) ? undefined : { fact: `it needs "${name}"`, remedy: withoutStop(capabilities.remedy(name)) };
  } catch (error) {
    return { fact: `it needs "${name}", and the check for that failed: ${withoutStop(describeThrown(error))}` };
  }
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

export function deprecationNotice({ since, successor }: { readonly since: string; readonly successor?: string }): string {
  return `Deprecated since ${since}.${successor === undefined ? "" : ` Use "${successor}" instead.`}`;
}

/** Whether a tool in this state is listed and may be called. */
export function isOffered(state: ToolState): boolean {
  return state === "ready" || state === "deprecated" || state === "resting";
}

/** Whether a tool may come on offer, or go, while neither the tools nor their switches nor the policy change. */
export function isVariable({ metadata }: ToolDefinition): boolean {
  if (metadata === undefined) return false;
  const { when, optionality, requiresCapabilities, secrets, configSchema } = metadata;
  const isConditional = when !== undefined || optionality === "conditional";
  return isConditional || requiresCapabilities !== undefined || secrets !== undefined || configSchema !== undefined;
}
