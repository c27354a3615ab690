import { loadSemver } from "#semver";
import { ToolError } from "../errors.ts";
import { normalizeToolName } from "../tool/name.ts";
import type { ToolDefinition } from "../tool/tool.ts";

/** One tool where it hangs. */
export interface ToolMapEntry<Extra> {
  readonly tool: ToolDefinition;
  readonly source: string;
  readonly extra: Extra;
}

export type ConflictMode = "error" | "replace" | "keep";

/** What `put` did. */
export type PutOutcome = "added" | "replaced" | "kept";

/**
 * Tools in the order of their registration, several versions of one name side by side. Look-up costs the same however many there are.
 * `Extra` is what the owner keeps with each entry.
 */
export interface ToolMap<Extra> {
  /** The number of changes so far. */
  readonly revision: number;
  /** Names on the shelf. */
  readonly size: number;
  put(entry: ToolMapEntry<Extra>, onConflict: ConflictMode): PutOutcome;
  /** Takes off all versions of a name, or those that are meant; answers what was taken. */
  remove(name: string, isMeant?: (entry: ToolMapEntry<Extra>) => boolean): readonly ToolMapEntry<Extra>[];
  /** By exact name (the newest version), else "name@range", else the normalised name. */
  find(name: string): ToolMapEntry<Extra> | undefined;
  /** Where this very tool hangs. */
  entryOf(tool: ToolDefinition): ToolMapEntry<Extra> | undefined;
  /** All versions of one name. */
  versionsOf(name: string): readonly ToolMapEntry<Extra>[];
  /** Every version of every tool; a snapshot that later changes do not touch. */
  entries(): readonly ToolMapEntry<Extra>[];
  /** The newest version of every tool; likewise. */
  current(): readonly ToolMapEntry<Extra>[];
  /** The tools of `current`; the same frozen array until something changes. */
  tools(): readonly ToolDefinition[];
  /** Forgets what was worked out from the tools, because something about them changed. */
  touch(): void;
}

interface Slot<Extra> {
  /** The newest version, which the bare name means. */
  current: ToolMapEntry<Extra>;
  /** All versions, where there is more than one. */
  versions: ToolMapEntry<Extra>[] | undefined;
}

/** `aliases`: other name → the tool that it means, where no tool has that very name. */
export function createToolMap<Extra>(aliases: Readonly<Record<string, string>> = {}): ToolMap<Extra> {
  const meant = new Map(Object.entries(aliases).map(([alias, name]) => [foldName(alias), name]));
  const slots = new Map<string, Slot<Extra>>();
  let revision = 0;
  let all: readonly ToolMapEntry<Extra>[] | undefined;
  let newest: readonly ToolMapEntry<Extra>[] | undefined;
  let tools: readonly ToolDefinition[] | undefined;
  let normalized: Map<string, string> | undefined;

  function touch(): void {
    revision++;
    all = newest = tools = normalized = undefined;
  }

  function put(entry: ToolMapEntry<Extra>, onConflict: ConflictMode): PutOutcome {
    const { name, version } = entry.tool;
    const slot = slots.get(name);
    if (slot === undefined) {
      slots.set(name, { current: entry, versions: undefined });
      touch();
      return "added";
    }
    const versions = slot.versions ?? [slot.current];
    const index = versions.findIndex((other) => other.tool.version === version);
    if (index >= 0) {
      if (onConflict === "keep") return "kept";
      if (onConflict !== "replace") throw taken(entry, versions[index]!);
      versions[index] = entry;
    } else {
      versions.push(entry);
    }
    settle(slot, versions);
    touch();
    return index < 0 ? "added" : "replaced";
  }

  function settle(slot: Slot<Extra>, versions: ToolMapEntry<Extra>[]): void {
    slot.versions = versions.length > 1 ? versions : undefined;
    slot.current = versions.length > 1 ? newestOf(versions) : versions[0]!;
  }

  function remove(name: string, isMeant: (entry: ToolMapEntry<Extra>) => boolean = () => true): readonly ToolMapEntry<Extra>[] {
    const slot = slots.get(name);
    if (slot === undefined) return [];
    const versions = slot.versions ?? [slot.current];
    const taken = versions.filter(isMeant);
    if (taken.length === 0) return [];
    const left = versions.filter((entry) => !taken.includes(entry));
    if (left.length === 0) slots.delete(name);
    else settle(slot, left);
    touch();
    return taken;
  }

  function find(name: string): ToolMapEntry<Extra> | undefined {
    const slot = slots.get(name);
    if (slot !== undefined) return slot.current;
    const at = name.indexOf("@");
    if (at > 0) return findVersion(name.slice(0, at), name.slice(at + 1));
    const known = normalizedNames().get(normalizeToolName(meant.get(foldName(name)) ?? name));
    return known === undefined ? undefined : slots.get(known)?.current;
  }

  function findVersion(name: string, range: string): ToolMapEntry<Extra> | undefined {
    const exact = slots.get(name);
    const slot = exact ?? slots.get(normalizedNames().get(normalizeToolName(name)) ?? "");
    if (slot === undefined || range.length > maxRangeLength) return undefined;
    const { satisfies } = loadSemver();
    const fitting = (slot.versions ?? [slot.current]).filter(({ tool }) => tool.version !== undefined && satisfies(tool.version, range));
    return fitting.length === 0 ? undefined : newestOf(fitting);
  }

  function normalizedNames(): Map<string, string> {
    if (normalized !== undefined) return normalized;
    normalized = new Map();
    for (const name of slots.keys()) {
      const key = normalizeToolName(name);
      if (!normalized.has(key)) normalized.set(key, name);
    }
    return normalized;
  }

  const current = (): readonly ToolMapEntry<Extra>[] => (newest ??= Array.from(slots.values(), (slot) => slot.current));

  return {
    get revision() {
      return revision;
    },
    get size() {
      return slots.size;
    },
    put,
    remove,
    find,
    entryOf(tool) {
      const slot = slots.get(tool.name);
      return slot?.current.tool === tool ? slot.current : slot?.versions?.find((entry) => entry.tool === tool);
    },
    versionsOf(name) {
      const slot = slots.get(name);
      return slot === undefined ? [] : (slot.versions ?? [slot.current]);
    },
    entries: () => (all ??= [...slots.values()].flatMap((slot) => slot.versions ?? [slot.current])),
    current,
    tools: () => (tools ??= Object.freeze(current().map((entry) => entry.tool))),
    touch,
  };
}

function foldName(name: string): string {
  return name.trim().toLowerCase();
}

/** As long as a version may be. Ranges come from models, and reading a hostile one takes long. */
const maxRangeLength = 256;

/** A tool without a version is newer than any with one: it is what the author works on. Pre-releases come last. */
function newestOf<Extra>(entries: readonly ToolMapEntry<Extra>[]): ToolMapEntry<Extra> {
  const bare = entries.find((entry) => entry.tool.version === undefined);
  if (bare !== undefined) return bare;
  const { rcompare, prerelease } = loadSemver();
  const released = entries.filter((entry) => prerelease(entry.tool.version!) === null);
  return [...(released.length > 0 ? released : entries)].sort((a, b) => rcompare(a.tool.version!, b.tool.version!))[0]!;
}

function taken<Extra>(entry: ToolMapEntry<Extra>, other: ToolMapEntry<Extra>): ToolError {
  const { name, version } = entry.tool;
  const which = version === undefined ? `"${name}"` : `"${name}" in version ${version}`;
  return new ToolError(
    "NAME_TAKEN",
    `A tool ${which} is already registered by "${other.source}". Choose another name or version, or use onConflict "replace" or "keep".`,
  );
}
