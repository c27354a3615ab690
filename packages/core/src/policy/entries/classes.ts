import type { ListEntry } from "./entries.ts";
import { matchGlobs } from "./_globs.ts";
import { type Origin, type IndexedTools, isNameTaken, type ShownName } from "./indexed-tools.ts";
import { type Glob, matchesGlob } from "../../util/glob.ts";

/**
 * Tools grouped into classes: no entry of the given lists distinguishes the tools of a class. The steps are applied to the classes, of which
 * there are few, and not to the tools.
 */
export interface ToolClasses {
  /** Tool → its class. */
  readonly classOf: Int32Array;
  readonly classes: readonly ToolClass[];
  /** Each of these → the classes that it matches. */
  readonly byName: Lookup;
  readonly byGlob: Lookup;
  readonly byPlugin: Lookup;
  readonly byGroup: Lookup;
  readonly byProfile: Lookup;
  readonly plugins: readonly number[];
  /** What only entries that restrict match as well: names and groups that nobody stands for. Absent where no tool has any. */
  readonly narrow?: Readonly<Record<"byName" | "byGlob" | "byGroup", Lookup>>;
}

export interface ToolClass {
  readonly isPlugin: boolean;
  readonly isAvailable: boolean;
}

type Lookup = ReadonlyMap<string, readonly number[]>;

export function classifyTools(index: IndexedTools, entries: readonly ListEntry[], unavailable: ReadonlySet<number>): ToolClasses {
  const { names, originOf, origins, renamed } = index;
  const { wanted, globs } = collectAtoms(entries);
  const { setOf, sets } = matchGlobs(globs, names);
  const classOf = new Int32Array(names.length);
  const numbers = new Map<number, number>();
  const into = new ClassCollector();

  for (let tool = 0; tool < names.length; tool++) {
    const name = names[tool]!;
    const origin = originOf[tool]!;
    const set = setOf[tool]!;
    const isAvailable = unavailable.size === 0 || !unavailable.has(tool);
    const shown = renamed?.get(tool);
    const key = shown !== undefined || wanted.has(name) ? undefined : (origin * sets.length + set) * 2 + (isAvailable ? 1 : 0);
    const known = key === undefined ? undefined : numbers.get(key);
    if (known !== undefined) {
      classOf[tool] = known;
      continue;
    }
    const number = into.add(origins[origin]!, isAvailable);
    const own = shown !== undefined && isNameTaken(name, shown, [index]) ? into.narrowed() : into;
    for (const glob of sets[set]!) put(own.byGlob, globs[glob]!.text, number);
    if (key === undefined) put(own.byName, name, number);
    else numbers.set(key, number);
    if (shown !== undefined) putShown(into, shown, number, globs);
    classOf[tool] = number;
  }
  return Object.assign(into, { classOf });
}

/** A renamed tool is a class of its own, which its other name matches as well. */
function putShown(into: ClassCollector, { name, grants }: ShownName, number: number, globs: readonly Glob[]): void {
  const lookups = grants ? into : into.narrowed();
  put(lookups.byName, name, number);
  for (const glob of globs) if (matchesGlob(glob, name)) put(lookups.byGlob, glob.text, number);
}

/** The names and the globs in all entries. */
function collectAtoms(entries: readonly ListEntry[]): { wanted: ReadonlySet<string>; globs: readonly Glob[] } {
  const wanted = new Set<string>();
  const globs = new Map<string, Glob>();
  for (const { atoms } of entries) {
    for (const atom of atoms) {
      if (atom.kind === "glob") globs.set(atom.glob.text, atom.glob);
      else if (atom.kind === "tool" || atom.kind === "tool-or-plugin") wanted.add(atom.name);
    }
  }
  return { wanted, globs: [...globs.values()] };
}

class ClassCollector {
  readonly classes: ToolClass[] = [];
  readonly byName = new Map<string, number[]>();
  readonly byGlob = new Map<string, number[]>();
  readonly byPlugin = new Map<string, number[]>();
  readonly byGroup = new Map<string, number[]>();
  readonly byProfile = new Map<string, number[]>();
  readonly plugins: number[] = [];
  narrow?: Record<"byName" | "byGlob" | "byGroup", Map<string, number[]>>;

  add({ pluginId, groups, profiles, narrowGroups = [] }: Origin, isAvailable: boolean): number {
    const number = this.classes.push({ isPlugin: pluginId !== undefined, isAvailable }) - 1;
    if (pluginId !== undefined) {
      this.plugins.push(number);
      put(this.byPlugin, pluginId, number);
    }
    for (const group of groups) put(this.byGroup, group, number);
    for (const profile of profiles) put(this.byProfile, profile, number);
    for (const group of narrowGroups) put(this.narrowed().byGroup, group, number);
    return number;
  }

  narrowed(): NonNullable<ClassCollector["narrow"]> {
    return (this.narrow ??= { byName: new Map(), byGlob: new Map(), byGroup: new Map() });
  }
}

function put(lookup: Map<string, number[]>, key: string, number: number): void {
  const numbers = lookup.get(key);
  if (numbers) numbers.push(number);
  else lookup.set(key, [number]);
}
