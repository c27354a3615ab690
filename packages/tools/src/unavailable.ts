import { defineTool, type ToolDefinition, ToolError } from "@toolrack/core";
import type { CapabilityCheck } from "@toolrack/core/node";
import { type CatalogTool, coreToolCatalog } from "@toolrack/core/policy";

/** What each group of tools waits for: the capability that they require, and why it is not there. */
const waiting: Readonly<Record<string, readonly [capability: string, reason: string]>> = {
  "group:sessions": ["host:sessions", "No sessions of agents are here: createSessionsTools takes their host"],
  "group:ui": ["host:ui", "No host for browsers and canvases is part of this version"],
  "group:messaging": ["host:messaging", "No host for messages and channels is part of this version"],
  "group:automation": ["host:automation", "No scheduler and no gateway control is part of this version"],
  "group:nodes": ["host:nodes", "No host for paired devices is part of this version"],
  "group:agents": ["host:agents", "No sessions of agents are here: createSessionsTools takes their host"],
  "group:media": ["host:media", "No model for images and speech is part of this version"],
};

export interface UnavailableOptions {
  /** Whether the tools of `createSessionsTools` are there, so that nothing stands in for them. @default false */
  readonly sessions?: boolean;
}

/**
 * The tools of the catalog that have no implementation yet, or no host here, so that lists and policies know them: each says why it is not
 * there, and is never offered. A registry needs `unavailableCapabilities` to take them.
 */
export function createUnavailableTools({ sessions = false }: UnavailableOptions = {}): readonly ToolDefinition[] {
  return coreToolCatalog.flatMap((row) => {
    const group = row.groups.find((name) => Object.hasOwn(waiting, name));
    const isThere = group === undefined || (sessions && (group === "group:sessions" || group === "group:agents"));
    return isThere ? [] : [toUnavailableTool(row, group)];
  });
}

/** The checks behind those tools, for `createCapabilities({ checks })`. None of them holds. */
export const unavailableCapabilities: Readonly<Record<string, CapabilityCheck>> = Object.freeze(
  Object.fromEntries(Object.values(waiting).map(([capability, reason]) => [capability, { has: () => false, remedy: `${reason}.` }])),
);

/** Whether a tool needs one of these hosts, so that nobody can make it available by a setting or a program. */
export function needsMissingHost({ metadata }: Pick<ToolDefinition, "metadata">): boolean {
  return metadata?.requiresCapabilities?.some((name) => Object.hasOwn(unavailableCapabilities, name)) === true;
}

function toUnavailableTool({ name, description }: Pick<CatalogTool, "name" | "description">, group: string): ToolDefinition {
  const [capability, reason] = waiting[group]!;
  return defineTool({
    name,
    description,
    inputSchema: { type: "object" },
    metadata: {
      category: group.slice("group:".length),
      optionality: "optional",
      groups: [group.slice("group:".length)],
      requiresCapabilities: [capability],
    },
    handler() {
      // Also for those who call it without a registry, or say that the capability is there.
      throw new ToolError("TOOL_UNAVAILABLE", `Tool "${name}" is not available. ${reason}.`);
    },
  });
}
