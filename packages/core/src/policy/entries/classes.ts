import type { ListEntry } from "./entries.ts";
import { matchGlobs } from "./_globs.ts";
import type { Origin, IndexedTools } from "./indexed-tools.ts";
import type { Glob } from "../../util/glob.ts";

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
}

export interface ToolClass {
  readonly isPlugin: boolean;
  readonly isAvailable: boolean;
}

type Lookup = ReadonlyMap<string, readonly number[]>;

export function classifyTools(index: IndexedTools, entries: readonly ListEntry[], unavailable: ReadonlySet<number>): ToolClasses {
  const { names, originOf, origins } = index;
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
    const key = wanted.has(name) ? undefined : (origin * sets.length + set) * 2 + (isAvailable ? 1 : 0);
    const known = key === undefined ? undefined : numbers.get(key);
    if (known !== undefined) {
      classOf[tool] = known;
      continue;
    }
    const number = into.add(origins[origin]!, isAvailable);
    for (const glob of sets[set]!) put(into.byGlob, globs[glob]!.text, number);
    if (key === undefined) put(into.byName, name, number);
    else numbers.set(key, number);
    classOf[tool] = number;
  }
  return Object.assign(into, { classOf });
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

  add({ pluginId, groups, profiles }: Origin, isAvailable: boolean): number {
    const number = this.classes.push({ isPlugin: pluginId !== undefined, isAvailable }) - 1;
    if (pluginId !== undefined) {
      this.plugins.push(number);
      put(this.byPlugin, pluginId, number);
    }
    for (const group of groups) put(this.byGroup, group, number);
    for (const profile of profiles) put(this.byProfile, profile, number);
    return number;
  }
}

function put(lookup: Map<string, number[]>, key: string, number: number): void {
  const numbers = lookup.get(key);
  if (numbers) numbers.push(number);
  else lookup.set(key, [number]);
}
