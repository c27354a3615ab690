import type { CircuitBreaker } from "../call/wrappers/circuit-breaker.ts";
import type { SecretsPort } from "../call/ports/secrets.ts";
import { describeThrown } from "../tool/result.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import type { Capabilities } from "./capabilities.ts";

/** How a tool is doing, in the words that every surface shows. Only "ready", "deprecated" and "resting" tools are offered. */
export type ToolState = "ready" | "deprecated" | "resting" | "disabled" | "unavailable" | "needs-configuration" | "draft" | "archived";

export interface Standing {
  readonly state: ToolState;
  /** Why, and what to do about it; absent for "ready". */
  readonly reason?: string;
}

export interface StandingFacts {
  readonly capabilities: Capabilities;
  readonly secrets: SecretsPort;
  readonly breaker: CircuitBreaker | undefined;
}

const ready: Standing = Object.freeze({ state: "ready" });

/** The first thing that stands in a tool's way. */
export function standingOf(tool: ToolDefinition, disabled: string | undefined, facts: StandingFacts): Standing {
  if (disabled !== undefined) return { state: "disabled", reason: disabled };
  const { metadata } = tool;
  if (metadata === undefined && facts.breaker === undefined) return ready;
  for (const name of metadata?.requiresCapabilities ?? []) {
    const reason = whatIsMissing(name, facts.capabilities);
    if (reason !== undefined) return { state: "unavailable", reason };
  }
  for (const name of metadata?.secrets ?? []) {
    if (!facts.secrets.has(name))
      return { state: "needs-configuration", reason: `The secret "${name}" is not set. Set it, then call again.` };
  }
  if (facts.breaker !== undefined && facts.breaker.state(tool.name) !== "closed") {
    return { state: "resting", reason: "It failed repeatedly and is tried again after a pause." };
  }
  const deprecated = metadata?.deprecated;
  if (deprecated !== undefined) return { state: "deprecated", reason: deprecationNotice(deprecated) };
  return ready;
}

function whatIsMissing(name: string, capabilities: Capabilities): string | undefined {
  try {
    return capabilities.has(name) ? undefined : `It needs "${name}". ${capabilities.remedy(name)}`;
  } catch (error) {
    return `It needs "${name}", and the check for that failed: ${describeThrown(error)}`;
  }
}

export function deprecationNotice({ since, successor }: { readonly since: string; readonly successor?: string }): string {
  return `Deprecated since ${since}.${successor === undefined ? "" : ` Use "${successor}" instead.`}`;
}

/** Whether a tool in this state is listed and may be called. */
export function isOffered(state: ToolState): boolean {
  return state === "ready" || state === "deprecated" || state === "resting";
}
