import { ToolError } from "../../errors.ts";
import { normalizeToolName } from "../../tool/name.ts";
import { grantingNames, registeredNameOf, registrationOf } from "../../tool/registered.ts";
import { toGroupName } from "../catalog/group-name.ts";
import type { PolicyTool } from "../policy.ts";

/** A list of tools, read once: what the entries of a policy are compared with. Positions are those of the list. */
export interface IndexedTools {
  readonly tools: readonly PolicyTool[];
  /** The registered names, normalised: trimmed, lower-cased, aliases replaced. */
  readonly names: readonly string[];
  /** Tool → the other name under which it is shown; absent where no tool was renamed. */
  readonly renamed?: ReadonlyMap<number, ShownName>;
  /** Tool → its origin. */
  readonly originOf: Int32Array;
  readonly origins: readonly Origin[];
  /** Exact name → the first tool that has it. */
  readonly positions: ReadonlyMap<string, number>;
  readonly known: IndexedNames;
  /** The names that callers see, normalised. */
  readonly shownNames: ReadonlySet<string>;
}

export interface ShownName {
  /** Normalised. */
  readonly name: string;
  /** Whether it counts for entries that allow; it always counts for those that restrict. */
  readonly grants: boolean;
}

/** What entries can name in a list of tools, each in the form in which policies compare it. */
export interface IndexedNames {
  readonly coreTools: ReadonlySet<string>;
  readonly pluginTools: ReadonlySet<string>;
  readonly plugins: ReadonlySet<string>;
  /** Joined by core tools. */
  readonly groups: ReadonlySet<string>;
  readonly profiles: ReadonlySet<string>;
}

/** The source of a tool and what it joined: beside its name, all that an entry can match. Most tools share one. */
export interface Origin {
  /** Lower-cased; absent for a core tool. */
  readonly pluginId?: string;
  /** "group:fs": joined by metadata, which only core tools can do. */
  readonly groups: readonly string[];
  readonly profiles: readonly string[];
  /** Groups that count only for entries that restrict. */
  readonly narrowGroups?: readonly string[];
}

const kept = new WeakMap<readonly PolicyTool[], IndexedTools>();

/** Cached for frozen lists only: any other list may have changed. */
export function indexTools(tools: readonly PolicyTool[]): IndexedTools {
  const known = kept.get(tools);
  if (known) return known;
  if (!Array.isArray(tools)) throw new ToolError("POLICY_INVALID", "The tools that a policy is applied to must be a list.");
  if (!Object.isFrozen(tools)) return buildIndex(tools.slice());
  const index = buildIndex(tools);
  kept.set(tools, index);
  return index;
}

/** The plugin that a tool comes from, in the form in which policies compare ids; undefined for a core tool. */
export function pluginIdOf(tool: PolicyTool): string | undefined {
  const id: unknown = tool.metadata?.pluginId;
  if (typeof id !== "string") return undefined;
  const folded = id.trim().toLowerCase();
  return folded === "" ? undefined : folded;
}

function buildIndex(tools: readonly PolicyTool[]): IndexedTools {
  const names: string[] = [];
  const renamed = new Map<number, ShownName>();
  const originOf = new Int32Array(tools.length);
  const origins: Origin[] = [plainOrigin];
  const numbers = new Map<string, number>();
  for (let position = 0; position < tools.length; position++) {
    const tool = tools[position];
    if (typeof tool?.name !== "string") {
      throw new ToolError("POLICY_INVALID", `tools[${position}] has no name, so no policy can match it. Give every tool a name.`);
    }
    names.push(normalizeToolName(registeredNameOf(tool)));
    const shown = shownNameOf(tool);
    if (shown !== undefined) renamed.set(position, shown);
    const key = originKey(tool);
    if (key === "") continue;
    const number = numbers.get(key);
    originOf[position] = number ?? origins.push(readOrigin(tool)) - 1;
    if (number === undefined) numbers.set(key, originOf[position]!);
  }
  return new ToolIndex(tools, names, originOf, origins, renamed.size === 0 ? undefined : renamed);
}

/** Undefined for a tool that is shown under its registered name. */
function shownNameOf(tool: PolicyTool): ShownName | undefined {
  const known = registrationOf(tool);
  return known === undefined || known.name === tool.name
    ? undefined
    : { name: normalizeToolName(tool.name), grants: grantingNames(tool).includes(tool.name) };
}

/** One tool of an index, as an index of its own. */
export function pickTool({ tools, names, originOf, origins, renamed }: IndexedTools, position: number): IndexedTools {
  const shown = renamed?.get(position);
  const own = shown && new Map([[0, shown]]);
  return new ToolIndex([tools[position]!], [names[position]!], firstOrigin, [origins[originOf[position]!]!], own);
}

/** The tool with this name: the exact one that callers see, then the forms in which policies compare names, then the registered name. */
export function positionOf({ positions, names, renamed }: IndexedTools, name: string): number | undefined {
  const exact = positions.get(name);
  if (exact !== undefined) return exact;
  const normalized = normalizeToolName(name);
  const shown = names.findIndex((own, position) => (renamed?.get(position)?.name ?? own) === normalized);
  if (shown !== -1) return shown;
  const registered = renamed === undefined ? -1 : names.indexOf(normalized);
  return registered === -1 ? undefined : registered;
}

/**
 * Whether another tool is shown under the registered name of a renamed one. Entries that allow then mean that other tool alone; those that
 * restrict still mean both.
 */
export function isNameTaken(registered: string, shown: ShownName, among: readonly IndexedTools[]): boolean {
  return shown.name !== registered && among.some(({ shownNames }) => shownNames.has(registered));
}

const firstOrigin = new Int32Array(1);

/** What only single look-ups need is made when it is first read. */
class ToolIndex implements IndexedTools {
  readonly tools: readonly PolicyTool[];
  readonly names: readonly string[];
  readonly originOf: Int32Array;
  readonly origins: readonly Origin[];
  readonly renamed?: ReadonlyMap<number, ShownName>;
  #positions: Map<string, number> | undefined;
  #known: IndexedNames | undefined;
  #shownNames: ReadonlySet<string> | undefined;

  constructor(
    tools: readonly PolicyTool[],
    names: readonly string[],
    originOf: Int32Array,
    origins: readonly Origin[],
    renamed: ReadonlyMap<number, ShownName> | undefined,
  ) {
    this.tools = tools;
    this.names = names;
    this.originOf = originOf;
    this.origins = origins;
    if (renamed !== undefined) this.renamed = renamed;
  }

  get positions(): ReadonlyMap<string, number> {
    if (this.#positions === undefined) {
      this.#positions = new Map();
      for (const [position, { name }] of this.tools.entries()) if (!this.#positions.has(name)) this.#positions.set(name, position);
    }
    return this.#positions;
  }

  get known(): IndexedNames {
    return (this.#known ??= collectNames(this));
  }

  get shownNames(): ReadonlySet<string> {
    const { names, renamed } = this;
    return (this.#shownNames ??= new Set(renamed === undefined ? names : names.map((name, tool) => renamed.get(tool)?.name ?? name)));
  }
}

function collectNames({ names, originOf, origins, renamed }: IndexedTools): IndexedNames {
  const isOfPlugin = (tool: number): boolean => origins[originOf[tool]!]!.pluginId !== undefined;
  const shown = [...(renamed ?? [])].filter(([, { grants }]) => grants);
  const namesOf = (wanted: boolean): ReadonlySet<string> =>
    new Set([
      ...names.filter((_, tool) => isOfPlugin(tool) === wanted),
      ...shown.filter(([tool]) => isOfPlugin(tool) === wanted).map(([, { name }]) => name),
    ]);
  return {
    coreTools: namesOf(false),
    pluginTools: namesOf(true),
    plugins: new Set(origins.flatMap(({ pluginId }) => pluginId ?? [])),
    groups: new Set(origins.flatMap(({ groups }) => groups)),
    profiles: new Set(origins.flatMap(({ profiles }) => profiles)),
  };
}

const plainOrigin: Origin = { groups: [], profiles: [] };

/** Tools with the same key have the same origin; "" for tools without metadata about it. */
function originKey(tool: PolicyTool): string {
  const { metadata } = tool;
  if (metadata === undefined) return "";
  if (typeof metadata.pluginId === "string") return metadata.pluginId;
  return metadata.groups === undefined && metadata.profiles === undefined
    ? ""
    : `\0${JSON.stringify([metadata.groups, metadata.profiles, unconfirmedGroups(tool)])}`;
}

function readOrigin(tool: PolicyTool): Origin {
  const pluginId = pluginIdOf(tool);
  if (pluginId !== undefined) return { pluginId, groups: [], profiles: [] };
  const unconfirmed = unconfirmedGroups(tool);
  const groups = texts(tool.metadata?.groups);
  const profiles = texts(tool.metadata?.profiles);
  if (unconfirmed === undefined) return { groups: groups.map(toGroupName), profiles };
  return {
    groups: groups.filter((group) => !unconfirmed.includes(group)).map(toGroupName),
    profiles,
    narrowGroups: unconfirmed.map(toGroupName),
  };
}

/** The groups of a tool that only restrict it. */
function unconfirmedGroups(tool: PolicyTool): readonly string[] | undefined {
  const known = registrationOf(tool);
  return known === undefined || known.isConfirmed ? undefined : known.addedGroups;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
