import type { Caller, Registry, ToolDefinition } from "@toolrack/core";
import { callerKey } from "@toolrack/core/internal";
import type { Era, JsonObject } from "../../wire/protocol.ts";
import { toMcpTool } from "../../wire/tool.ts";
import type { CacheScope, Results } from "../results.ts";
import { createPages, type Pages } from "./pages.ts";

/** The list of one class of callers. Callers who see the same tools share one. */
export interface ToolList extends Pages {
  readonly tools: readonly ToolDefinition[];
  /** Equal for lists with the same tools. */
  readonly signature: string;
  /** "private" as soon as the caller signed in, or any tool is hidden from it. */
  readonly scope: CacheScope;
  stateOf(tool: ToolDefinition): string;
  /** Other lists derived from this one; they live as long as it does. */
  readonly derived: Map<string, Pages>;
}

export interface ToolLists {
  /** The tools that the registry offers this caller now. */
  for(caller: Caller, isAnonymous: boolean): ToolList;
}

export interface ToolListOptions {
  readonly registry: Registry;
  readonly results: Results;
  readonly pageSize: number;
}

/**
 * Lists are kept for a revision of the registry and a class of callers. Whether a tool is on offer can depend on more (a secret that
 * was set meanwhile, a condition on the caller): where a tool has such a condition, the registry is asked each time.
 */
export function createToolLists({ registry, results, pageSize }: ToolListOptions): ToolLists {
  let known = read();
  const texts: Record<Era, WeakMap<ToolDefinition, { readonly state: string; readonly tool: JsonObject }>> = {
    modern: new WeakMap(),
    legacy: new WeakMap(),
  };

  function read(): Known {
    const entries = registry.entries();
    const states = new Map(entries.map(({ tool, state }) => [tool, state as string]));
    return {
      revision: registry.revision,
      readAt: Date.now(),
      states,
      stamp: [...states.values()].join(),
      count: registry.list().length,
      isSettled: !entries.some(({ tool, state }) => dependsOnMore(tool) || (state !== "ready" && state !== "deprecated")),
      byCaller: new Map(),
      bySignature: new Map(),
    };
  }

  /** Tools that rest after failures are shown as resting, and no event tells when a rest begins or ends. */
  function current(): Known {
    if (registry.revision === known.revision && Date.now() - known.readAt < statesForMs) return known;
    const now = read();
    if (now.revision === known.revision && now.stamp === known.stamp) return Object.assign(known, { readAt: now.readAt });
    return (known = now);
  }

  function makeList(signature: string, tools: readonly ToolDefinition[], scope: CacheScope, states: Known["states"]): ToolList {
    const stateOf = (tool: ToolDefinition): string => states.get(tool) ?? "ready";
    const shown = (tool: ToolDefinition, era: Era): JsonObject => {
      const state = stateOf(tool);
      let text = texts[era].get(tool);
      if (text?.state !== state) texts[era].set(tool, (text = { state, tool: toMcpTool(tool, state, era) }));
      return text.tool;
    };
    const pages = createPages({ field: "tools", items: (era) => tools.map((tool) => shown(tool, era)), scope, pageSize, results });
    return { tools, signature, scope, stateOf, derived: new Map(), ...pages };
  }

  return {
    for(caller, isAnonymous) {
      const { byCaller, bySignature, states, count, isSettled } = current();
      const key = `${isAnonymous}${callerKey(caller)}`;
      const kept = byCaller.get(key);
      if (kept !== undefined && isSettled) return kept.list;
      const { tools } = registry.view(caller);
      if (kept !== undefined && kept.tools === tools) return kept.list;
      const scope = isAnonymous && tools.length === count ? "public" : "private";
      const signature = `${scope}:${tools.map((tool) => `${numberOf(tool)}${states.get(tool) ?? ""}`).join()}`;
      const list = bySignature.get(signature) ?? makeList(signature, tools, scope, states);
      remember(bySignature, signature, list, maxLists);
      remember(byCaller, key, { tools, list }, maxCallers);
      return list;
    },
  };
}

/** A snapshot of the registry, and the lists made from it. */
interface Known {
  readonly revision: number;
  readonly readAt: number;
  readonly states: ReadonlyMap<ToolDefinition, string>;
  readonly stamp: string;
  readonly count: number;
  /** Which tools are offered depends on the revision and the caller alone. */
  readonly isSettled: boolean;
  readonly byCaller: Map<string, { readonly tools: readonly ToolDefinition[]; readonly list: ToolList }>;
  readonly bySignature: Map<string, ToolList>;
}

const statesForMs = 1000;
const maxCallers = 10_000;
const maxLists = 64;

function dependsOnMore({ metadata }: ToolDefinition): boolean {
  if (metadata === undefined) return false;
  const { when, secrets, requiresCapabilities, configSchema } = metadata;
  return when !== undefined || secrets !== undefined || requiresCapabilities !== undefined || configSchema !== undefined;
}

/** The oldest entry makes room. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > max) map.delete(map.keys().next().value!);
}

const numbers = new WeakMap<ToolDefinition, number>();
let nextNumber = 0;

function numberOf(tool: ToolDefinition): number {
  let number = numbers.get(tool);
  if (number === undefined) numbers.set(tool, (number = nextNumber++));
  return number;
}
