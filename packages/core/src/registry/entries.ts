import type { CallPlan } from "../call/call-plan.ts";
import { ToolError } from "../errors.ts";
import type { EventLog } from "../events.ts";
import { checkPatterns } from "../tool/check-patterns.ts";
import { missingService } from "../tool/needed-services.ts";
import { setOrigin, type ToolCollection } from "../tool/list-origin.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { type Availability, type AvailabilityFacts, availabilityOf, isOffered, reasonOf } from "./availability.ts";
import { definitionHash } from "./definition-hash.ts";
import { createNameSwitches, type DisabledNames } from "./name-switches.ts";
import { nearestTools } from "./nearest.ts";
import type { RegistryEntry } from "./registry.ts";
import { type ConflictMode, createToolMap, type PutOutcome, type ToolMap, type ToolMapEntry } from "./tool-map.ts";

/** What the registry stores with each tool. */
export interface EntryState {
  /** Why this version alone is switched off. */
  disabled: string | undefined;
  /** Composed at the first call. */
  plan: CallPlan | undefined;
  hash: string | undefined;
  /** Nothing about the tool can prevent a call, whoever makes it. */
  readonly isPlain: boolean;
}

export type Entry = ToolMapEntry<EntryState>;

/** The source of tools that are registered by hand. */
export const codeSourceId = "code";

/** The tools of a registry with their state. Every change is counted in `tools.revision` and announced as an event. */
export interface Entries {
  readonly tools: ToolMap<EntryState>;
  /** The tools as the collection that views are taken from. */
  readonly collection: ToolCollection;
  /** Replacing a disabled tool leaves it disabled, unless `disabled` says otherwise. */
  put(tool: ToolDefinition, source: string, onConflict: ConflictMode, disabled?: string): PutOutcome;
  /** A source may change its own tools, never those of another. */
  putFromSource(tool: ToolDefinition, source: string): void;
  remove(name: string, isMeant?: (entry: Entry) => boolean): void;
  /** Throws TOOL_NOT_FOUND. */
  require(name: string): Entry;
  /** Throws CAPABILITY_UNKNOWN or SERVICE_MISSING. */
  requireNeeds(tool: ToolDefinition): void;
  /** The entry with the same name and version. */
  sameVersion(tool: ToolDefinition): Entry | undefined;
  /** The entry of a tool, which may exist for one caller only. */
  of(tool: ToolDefinition): Entry;
  /** The entry of a tool that exists for one caller only; undefined if `of` was never called for it. */
  ofCaller(tool: ToolDefinition): Entry | undefined;
  availability(entry: Entry): Availability;
  /** The tools that are ready to be called, in the order of their registration. */
  offered(): readonly ToolDefinition[];
  /** Every version of a name, also those to come while the tool is there; of "name@range", the one version that it means. */
  disable(name: string, reason: string): void;
  enable(name: string): void;
  setDisabled(disabled: DisabledNames): void;
  isDisabled(entry: Entry): boolean;
  /** Forgets every plan, because something that plans depend on changed. */
  forgetPlans(): void;
  describe(entry: Entry): RegistryEntry;
}

export interface EntriesFacts extends AvailabilityFacts {
  readonly events: EventLog;
  readonly services?: unknown;
  readonly aliases?: Readonly<Record<string, string>> | undefined;
}

/** `services` are those of every call; a function opens them for each, so that they are not known before. */
export function createEntries(facts: EntriesFacts): Entries {
  const { capabilities, breaker, events } = facts;
  const tools = createToolMap<EntryState>(facts.aliases);
  const collection: ToolCollection = {
    tools: () => tools.tools(),
    sourceOf(tool) {
      const source = tools.entryOf(tool)?.source;
      return source === codeSourceId ? undefined : source;
    },
  };
  /** The tools of which every version is switched off. */
  const disabledTools = new Map<string, string>();
  const switches = createNameSwitches((name) => tools.versionsOf(name).length > 0);
  let callerEntries = new WeakMap<ToolDefinition, Entry>();

  const sameVersion = (tool: ToolDefinition): Entry | undefined =>
    tools.versionsOf(tool.name).find((entry) => entry.tool.version === tool.version);
  const disabledReason = ({ tool, extra }: Entry): string | undefined =>
    extra.disabled ?? disabledTools.get(tool.name) ?? switches.reasonFor(tool);
  const isDisabled = (entry: Entry): boolean => disabledReason(entry) !== undefined;
  const availability = (entry: Entry): Availability => availabilityOf(entry.tool, disabledReason(entry), facts);
  const isOnOffer = (entry: Entry): boolean => (entry.extra.isPlain && !isDisabled(entry)) || isOffered(availability(entry).state);

  function put(tool: ToolDefinition, source: string, onConflict: ConflictMode, disabled = sameVersion(tool)?.extra.disabled): PutOutcome {
    checkPatterns(tool);
    requireNeeds(tool);
    const isPlain = tool.metadata === undefined && breaker === undefined;
    const entry: Entry = { tool, source, extra: { disabled, plan: undefined, hash: undefined, isPlain } };
    const outcome = tools.put(entry, onConflict);
    if (outcome !== "kept") announce(outcome === "added" ? "tool-added" : "tool-changed", entry);
    return outcome;
  }

  function requireNeeds(tool: ToolDefinition): void {
    const missing = typeof facts.services === "function" ? undefined : missingService(tool, facts.services, "this registry");
    if (missing !== undefined) throw new ToolError("SERVICE_MISSING", `${missing} Add it to the services of createRegistry.`);
    for (const name of tool.metadata?.requiresCapabilities ?? []) {
      if (capabilities.knows(name)) continue;
      const known = capabilities.names().join(", ");
      throw new ToolError(
        "CAPABILITY_UNKNOWN",
        `Tool "${tool.name}" requires the capability "${name}", and no check for it exists. Known are ${known}, binary:<program> and env:<NAME>.`,
      );
    }
  }

  function announce(type: "tool-added" | "tool-changed" | "tool-removed", { tool, source }: Entry): void {
    if (events.hasListeners) events.emit({ type, tool: tool.name, source, ...(tool.version !== undefined && { version: tool.version }) });
  }

  function require(name: string): Entry {
    const entry = tools.find(name);
    if (entry !== undefined) return entry;
    const near = nearestTools(name, tools.tools());
    throw new ToolError("TOOL_NOT_FOUND", `There is no tool "${name}".${near.length === 0 ? "" : ` Did you mean "${near[0]}"?`}`);
  }

  /** Switches one version, or a whole name. Answers whether this changed anything. */
  function setSwitch(name: string, { tool, extra }: Entry, reason: string | undefined): boolean {
    const isVersion = name.includes("@");
    const before = [extra.disabled, disabledTools.get(tool.name)];
    if (isVersion || reason === undefined) extra.disabled = reason;
    if (!isVersion && reason === undefined) disabledTools.delete(tool.name);
    if (!isVersion && reason !== undefined) disabledTools.set(tool.name, reason);
    if (before[0] === extra.disabled && before[1] === disabledTools.get(tool.name)) return false;
    for (const version of tools.versionsOf(tool.name)) version.extra.plan = undefined;
    tools.touch();
    return true;
  }

  function forgetPlans(): void {
    for (const entry of tools.entries()) entry.extra.plan = undefined;
    callerEntries = new WeakMap();
    tools.touch();
  }

  /** The state of a tool that exists for one caller only lives as long as the tool does. */
  function makeCallerEntry(tool: ToolDefinition): Entry {
    const entry: Entry = { tool, source: "caller", extra: { disabled: undefined, plan: undefined, hash: undefined, isPlain: false } };
    callerEntries.set(tool, entry);
    return entry;
  }

  return {
    tools,
    collection,
    put,
    putFromSource(tool, source) {
      const other = tools.versionsOf(tool.name).find((entry) => entry.source !== source);
      if (other !== undefined) throw new ToolError("NAME_TAKEN", `A tool "${tool.name}" is already there from "${other.source}".`);
      put(tool, source, "replace");
    },
    remove(name, isMeant) {
      const removed = tools.remove(name, isMeant);
      if (tools.versionsOf(name).length === 0) disabledTools.delete(name);
      for (const entry of removed) announce("tool-removed", entry);
    },
    require,
    requireNeeds,
    sameVersion,
    of: (tool) => tools.entryOf(tool) ?? callerEntries.get(tool) ?? makeCallerEntry(tool),
    ofCaller: (tool) => callerEntries.get(tool),
    availability,
    offered() {
      const onOffer = tools.current().filter(isOnOffer);
      return setOrigin(
        onOffer.map((entry) => entry.tool),
        { model: {}, collection },
      );
    },
    disable(name, reason) {
      const entry = require(name);
      if (setSwitch(name, entry, reason)) events.emit({ type: "tool-disabled", tool: entry.tool.name, reason });
    },
    enable(name) {
      const entry = require(name);
      if (setSwitch(name, entry, undefined)) events.emit({ type: "tool-enabled", tool: entry.tool.name });
    },
    setDisabled(disabled) {
      const before = new Map(tools.current().map((entry) => [entry, disabledReason(entry)]));
      if (!switches.set(disabled)) return;
      forgetPlans();
      for (const [entry, former] of before) {
        const reason = disabledReason(entry);
        if (reason === former) continue;
        if (reason === undefined) events.emit({ type: "tool-enabled", tool: entry.tool.name });
        else events.emit({ type: "tool-disabled", tool: entry.tool.name, reason });
      }
    },
    isDisabled,
    forgetPlans,
    describe(entry) {
      const { state, ...why } = availability(entry);
      const reason = reasonOf({ state, ...why });
      return { tool: entry.tool, source: entry.source, state, ...(reason !== undefined && { reason }), hash: hashOf(entry) };
    },
  };
}

/** Of the definition without its handler, computed once. */
export function hashOf({ tool, extra }: Entry): string {
  return (extra.hash ??= definitionHash(tool));
}
