import { type Caller, createRegistry, type Registry, type ToolDefinition } from "@toolrack/core";
import { createMetaTools, fitTools, metaToolNames } from "@toolrack/core/search";
import { type ExportedTools, exportTools, type ProviderTarget } from "@toolrack/core/vendors";
import { finishTool } from "../criteria/finish-tool.ts";
import type { Phase } from "../criteria/phases.ts";

/** What a model is offered in one turn. The same value as long as nothing changes, so that the list is the same to the byte. */
export interface Offer {
  readonly tools: readonly ToolDefinition[];
  readonly exported: ExportedTools;
  /** Tools that are the agent's own: `finish`, and those by which a model searches. */
  readonly own: ReadonlyMap<string, ToolDefinition>;
  /** Calls one of those. */
  readonly invokeOwn: Registry["invoke"];
  /** False for a tool that is none of the phase, whatever else the caller may use. */
  allows(name: string): boolean;
}

export interface OfferOptions {
  readonly registry: Registry;
  readonly target: ProviderTarget;
  /** What the declarations of the tools may cost. @default no limit */
  readonly maxTokens?: number | undefined;
  /** A caller with more tools than this gets the tools by which it searches, in place of those that are not required. @default 100 */
  readonly searchAbove?: number | undefined;
}

export type OfferTools = (caller: Caller, phase: Phase | undefined, withFinish: boolean) => Offer;

/** From so many tools on, a list costs more than it helps. */
export const defaultSearchAbove = 100;

/** Tools that are listed beside those for searching, at most. */
const maxRequired = 32;

/** One for each agent, so that its runs share what is exported. */
export function createOffer({ registry, target, maxTokens, searchAbove = defaultSearchAbove }: OfferOptions): OfferTools {
  const known = new WeakMap<readonly ToolDefinition[], Map<string, Offer>>();
  // They need nobody's permission, and are in no list but ours.
  const ownTools = createRegistry();
  ownTools.register(finishTool);

  function searchTools(): readonly ToolDefinition[] {
    if (!ownTools.has(metaToolNames[0]!)) for (const tool of createMetaTools(registry)) ownTools.register(tool);
    return metaToolNames.map((name) => ownTools.get(name)!);
  }

  function choose(listed: readonly ToolDefinition[], phase: Phase | undefined, withFinish: boolean): Offer {
    const names = phase?.tools === undefined ? undefined : new Set(phase.tools);
    const open = names === undefined ? listed : listed.filter(({ name }) => names.has(name));
    const own = new Map<string, ToolDefinition>();
    const offered = new Set(open.map(({ name }) => name));
    let tools = open;
    if (open.length > searchAbove) {
      const hasSearch = metaToolNames.every((name) => offered.has(name));
      const required = open.filter((tool) => isRequired(tool) || (hasSearch && metaToolNames.includes(tool.name)));
      if (!hasSearch) for (const tool of searchTools()) own.set(tool.name, tool);
      tools = [...own.values(), ...required.filter(({ name }) => !own.has(name)).slice(0, maxRequired)];
    }
    // A tool of the registry that has this name is the signal then.
    if (withFinish && !offered.has(finishTool.name)) {
      own.set(finishTool.name, finishTool);
      tools = [...tools, finishTool];
    }
    if (maxTokens !== undefined) tools = fitTools(tools, target, { maxTokens }).tools;
    const frozen = Object.isFrozen(tools) ? tools : Object.freeze([...tools]);
    return {
      tools: frozen,
      exported: exportTools(frozen, target),
      own,
      invokeOwn: ownTools.invoke,
      allows: (name) => names === undefined || names.has(name) || own.has(name),
    };
  }

  return (caller, phase, withFinish) => {
    const listed = registry.view(caller).tools;
    let offers = known.get(listed);
    if (offers === undefined) known.set(listed, (offers = new Map()));
    const key = `${withFinish} ${phase?.name ?? ""}`;
    let offer = offers.get(key);
    if (offer === undefined) offers.set(key, (offer = choose(listed, phase, withFinish)));
    return offer;
  };
}

function isRequired({ metadata }: ToolDefinition): boolean {
  return metadata?.optionality === "required" || metadata?.optionality === "conditional";
}
