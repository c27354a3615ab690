import type { Caller, Registry, ToolDefinition } from "@toolrack/core";
import { insideFunctions } from "./inside-names.ts";

/** What a program of one caller can call. */
export interface Reach {
  readonly tools: readonly ToolDefinition[];
  readonly names: readonly string[];
  /** Functions of the server itself, which cost no call. */
  readonly inside: readonly string[];
  /** What is known of the results, by tool. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
}

/** What the caller may call, and of that only what the program was given: the list that the policy makes, and no other. */
export function reachOf(registry: ReachRegistry, caller: Caller, allowed: readonly string[] | undefined): Reach {
  const view = registry.view(caller);
  if (allowed !== undefined)
    return describe(
      registry,
      [...new Set(allowed)].flatMap((name) => view.offered(name) ?? []),
    );
  const known = reaches.get(view.tools);
  if (known?.revision === registry.revision) return known.reach;
  const reach = describe(registry, view.tools);
  reaches.set(view.tools, { revision: registry.revision, reach });
  return reach;
}

export type ReachRegistry = Pick<Registry, "view" | "entries" | "revision">;

/** Kept for each list of tools: there may be thousands. */
const reaches = new WeakMap<readonly ToolDefinition[], { readonly revision: number; readonly reach: Reach }>();

function describe(registry: ReachRegistry, tools: readonly ToolDefinition[]): Reach {
  const sources = new Map(registry.entries().map(({ tool, source }) => [tool.name, source]));
  const names = tools.map(({ name }) => name);
  const inside = insideFunctions(names);
  const foreign = tools.filter((tool) => isForeign(tool, sources.get(tool.name))).map(({ name }) => name);
  // What others write about their tools is found and shown by the functions inside.
  const labelled = foreign.length === 0 ? [] : [...foreign, ...inside];
  return { tools, names, inside, labels: Object.fromEntries(labelled.map((name) => [name, untrusted])) };
}

/** The hash of a tool as it is registered now. */
export function definitionOf(registry: Pick<Registry, "entries">, tool: string): string | undefined {
  return registry.entries().find((entry) => entry.tool.name === tool)?.hash;
}

const untrusted: readonly string[] = Object.freeze(["untrusted"]);

/** Results that somebody else writes: of other servers and APIs, and of tools that say that they reach out. */
function isForeign({ metadata }: ToolDefinition, source: string | undefined): boolean {
  return metadata?.annotations?.openWorld === true || (source !== undefined && /^(?:mcp|openapi):/.test(source));
}
