import type { Caller, Registry, ToolDefinition } from "@toolrack/core";
import { grantingNames } from "@toolrack/core/internal";
import { insideFunctions } from "./inside-names.ts";
import type { ProgramRequest } from "./programs.ts";

/** What a program of one caller can call. */
export interface Reach {
  readonly tools: readonly ToolDefinition[];
  readonly names: readonly string[];
  /** Functions of the server itself, which cost no call. */
  readonly inside: readonly string[];
  /** What is known of the results, by tool. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
}

/**
 * What the caller may call, and of that only what the program was given: the list that the policy makes, and no other. A chain names its tools and
 * looks for no others, so that it also calls those that the caller may not call: each is refused as a call of its own.
 */
export function reachOf(
  registry: ReachRegistry,
  caller: Caller,
  { tools: allowed, chain }: Pick<ProgramRequest, "tools" | "chain">,
): Reach {
  const view = registry.view(caller);
  if (allowed !== undefined) {
    // What was approved for a name is not meant for a tool that somebody renamed to it.
    const given = [...new Set(allowed)].filter((name) => {
      const tool = view.offered(name);
      return tool === undefined || grantingNames(tool).includes(name);
    });
    const reach = describe(
      registry,
      given.flatMap((name) => view.offered(name) ?? []),
    );
    return chain === undefined ? reach : { ...reach, names: given };
  }
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
  const labels = new Map<string, readonly string[]>();
  let isForeign = false;
  for (const tool of tools) {
    const own = labelsOf(tool, sources.get(tool.name));
    if (own.length > 0) labels.set(tool.name, own);
    isForeign ||= own.includes("untrusted");
  }
  // What others write about their tools is found and shown by the functions inside.
  if (isForeign) for (const name of inside) labels.set(name, untrusted);
  return { tools, names, inside, labels };
}

/** What the results of a tool carry, by its name; undefined for one that is gone. */
export function labelsOfName(registry: Pick<Registry, "entries">, name: string): readonly string[] | undefined {
  const entry = registry.entries().find(({ tool }) => tool.name === name);
  return entry === undefined ? undefined : labelsOf(entry.tool, entry.source);
}

/** The hash of a tool as it is registered now. */
export function definitionOf(registry: Pick<Registry, "entries">, tool: string): string | undefined {
  return registry.entries().find((entry) => entry.tool.name === tool)?.hash;
}

/** What the results of a tool carry: what it declares, and `untrusted` where somebody else writes them. */
export function labelsOf({ metadata }: ToolDefinition, source: string | undefined): readonly string[] {
  const { labels = none, annotations } = metadata ?? {};
  const isForeign = annotations?.openWorld === true || (source !== undefined && /^(?:mcp|openapi):/.test(source));
  if (!isForeign || labels.includes("untrusted")) return labels;
  return labels.length === 0 ? untrusted : ["untrusted", ...labels];
}

const none: readonly string[] = Object.freeze([]);
const untrusted: readonly string[] = Object.freeze(["untrusted"]);
