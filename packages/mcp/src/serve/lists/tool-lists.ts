import type { Caller, Registry, ToolDefinition } from "@toolrack/core";
import type { Era, JsonObject } from "../../wire/protocol.ts";
import { toMcpTool, type ToolField } from "../../wire/tool.ts";
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
  /** What tools have at their top, too. */
  readonly toolFields?: readonly ToolField[] | undefined;
}

/** The registry gives callers who see the same tools the same array; the list is kept with that array, and not with the caller. */
export function createToolLists({ registry, results, pageSize, toolFields }: ToolListOptions): ToolLists {
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
      byTools: { public: new WeakMap(), private: new WeakMap() },
      bySignature: new Map(),
    };
  }

  /** Tools whose circuit breaker is open are shown as paused, and no event reports when a pause begins or ends. */
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
      if (text?.state !== state) texts[era].set(tool, (text = { state, tool: toMcpTool(tool, state, era, toolFields) }));
      return text.tool;
    };
    const pages = createPages({ field: "tools", items: (era) => tools.map((tool) => shown(tool, era)), scope, pageSize, results });
    return { tools, signature, scope, stateOf, derived: new Map(), ...pages };
  }

  return {
    for(caller, isAnonymous) {
      const { byTools, bySignature, states, count } = current();
      const { tools } = registry.view(caller);
      const scope = isAnonymous && tools.length === count ? "public" : "private";
      const kept = byTools[scope].get(tools);
      if (kept !== undefined) return kept;
      const signature = `${scope}:${tools.map((tool) => `${numberOf(tool)}${states.get(tool) ?? ""}`).join()}`;
      const list = bySignature.get(signature) ?? makeList(signature, tools, scope, states);
      remember(bySignature, signature, list, maxLists);
      byTools[scope].set(tools, list);
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
  readonly byTools: Readonly<Record<CacheScope, WeakMap<readonly ToolDefinition[], ToolList>>>;
  /** Equal lists in different arrays: for callers with different policies that come to the same. */
  readonly bySignature: Map<string, ToolList>;
}

const statesForMs = 1000;
const maxLists = 64;

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
