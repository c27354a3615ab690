import type { ToolClasses } from "./classes.ts";
import type { Atom, ListEntry } from "./entries.ts";
import { isCatalogName } from "../catalog/catalog.ts";

/** What the entries of one list match. */
export interface Marks {
  readonly entries: readonly ListEntry[];
  /** Class of tools → 1 + an entry that names it, or 0. An exact name is preferred to "*": it is the clearest reason. */
  readonly byClass: ArrayLike<number>;
  /** Entry → the kinds of tools that it matched, as bits. */
  readonly hits: Uint8Array;
}

/** The bits of `Marks.hits`. */
export const hitBits = { plugin: 1, core: 2, available: 4, everything: 8 } as const;

/**
 * @param grants whether a match allows tools. If so, a plugin whose id is the name of a core tool gains nothing from
 * that name; if a match denies tools, the name means both.
 */
export function markClasses(entries: readonly ListEntry[], tools: ToolClasses, grants: boolean): Marks {
  const byClass = new Int32Array(tools.classes.length);
  const hits = new Uint8Array(entries.length);
  let everything = 0;
  for (let entry = 0; entry < entries.length; entry++) {
    for (const atom of entries[entry]!.atoms) {
      if (atom.kind === "all") {
        hits[entry]! |= hitBits.everything;
        everything ||= entry + 1;
      } else {
        mark(matchingClasses(atom, tools, grants), entry);
        if (atom.kind === "tool-or-plugin" && meansPlugin(atom.name, tools, grants)) mark(tools.byPlugin.get(atom.name), entry);
      }
    }
  }
  if (everything !== 0) for (let number = 0; number < byClass.length; number++) byClass[number] ||= everything;
  return { entries, byClass, hits };

  function mark(numbers: readonly number[] | undefined, entry: number): void {
    for (const number of numbers ?? []) {
      const { isPlugin, isAvailable } = tools.classes[number]!;
      hits[entry]! |= (isPlugin ? hitBits.plugin : hitBits.core) | (isAvailable ? hitBits.available : 0);
      byClass[number] ||= entry + 1;
    }
  }
}

/** The classes that an entry matches; undefined if it matches everything. */
export function classesOf(entry: ListEntry, tools: ToolClasses, grants: boolean): readonly number[] | undefined {
  const matched: number[] = [];
  for (const atom of entry.atoms) {
    if (atom.kind === "all") return undefined;
    matched.push(...(matchingClasses(atom, tools, grants) ?? []));
    if (atom.kind === "tool-or-plugin" && meansPlugin(atom.name, tools, grants)) matched.push(...(tools.byPlugin.get(atom.name) ?? []));
  }
  return matched;
}

function matchingClasses(atom: Exclude<Atom, { kind: "all" }>, tools: ToolClasses, grants: boolean): readonly number[] | undefined {
  switch (atom.kind) {
    case "tool":
    case "tool-or-plugin":
      return lookUp("byName", atom.name, tools, grants);
    case "glob":
      return lookUp("byGlob", atom.glob.text, tools, grants);
    case "plugins":
      return tools.plugins;
    case "joined-group":
      return lookUp("byGroup", atom.group, tools, grants);
    case "joined-profile":
      return tools.byProfile.get(atom.profile);
  }
}

function lookUp(table: "byName" | "byGlob" | "byGroup", key: string, tools: ToolClasses, grants: boolean): readonly number[] | undefined {
  const found = tools[table].get(key);
  const more = grants ? undefined : tools.narrow?.[table].get(key);
  return more === undefined ? found : [...(found ?? []), ...more];
}

function meansPlugin(name: string, { byName, classes }: ToolClasses, grants: boolean): boolean {
  if (!grants) return true;
  return !isCatalogName(name) && !byName.get(name)?.some((number) => !classes[number]!.isPlugin);
}
