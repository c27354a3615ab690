import type { Glob } from "../../util/glob.ts";
import { createGlobFinder } from "./_globs.ts";
import type { Atom, ListEntry } from "./entries.ts";
import type { IndexedNames } from "./indexed-tools.ts";
import { type Among, isCoreName } from "./list-matcher.ts";

/** Whether each of the entries matches tools of plugins, and none a core tool. Says what the hits of `markClasses` say. */
export function namesOnlyPlugins(entries: readonly ListEntry[], among: Among): boolean {
  const globs: Glob[] = [];
  const globEntries: number[] = [];
  const matched = new Set<number>();
  for (const [number, { atoms }] of entries.entries()) {
    for (const atom of atoms) {
      if (atom.kind === "glob") globEntries[globs.push(atom.glob) - 1] = number;
      else if (matchesCore(atom, among)) return false;
      else if (matchesPlugin(atom, among)) matched.add(number);
    }
    if (globEntries.at(-1) !== number && !matched.has(number)) return false;
  }
  // Globs come last, because they are held against every tool.
  return globs.length === 0 || globsNameOnlyPlugins(globs, globEntries, matched, among);
}

function globsNameOnlyPlugins(globs: readonly Glob[], entryOf: readonly number[], matched: Set<number>, among: Among): boolean {
  for (const { known, names } of among) {
    const find = createGlobFinder(globs, names.length);
    for (const name of known.coreTools) if (find(name).length > 0) return false;
    for (const name of known.pluginTools) for (const glob of find(name)) matched.add(entryOf[glob]!);
  }
  return entryOf.every((entry) => matched.has(entry));
}

type NameAtom = Exclude<Atom, { kind: "glob" }>;

function matchesCore(atom: NameAtom, among: Among): boolean {
  if (atom.kind === "all") return true;
  return atom.kind !== "plugins" && among.some(({ known }) => coreNamesFor(atom, known).has(textOf(atom)));
}

function coreNamesFor({ kind }: NameAtom, known: IndexedNames): ReadonlySet<string> {
  return kind === "joined-group" ? known.groups : kind === "joined-profile" ? known.profiles : known.coreTools;
}

function textOf(atom: Exclude<NameAtom, { kind: "all" | "plugins" }>): string {
  return atom.kind === "joined-group" ? atom.group : atom.kind === "joined-profile" ? atom.profile : atom.name;
}

function matchesPlugin(atom: NameAtom, among: Among): boolean {
  if (atom.kind === "plugins") return among.some(({ known }) => known.plugins.size > 0);
  if (atom.kind !== "tool" && atom.kind !== "tool-or-plugin") return false;
  if (among.some(({ known }) => known.pluginTools.has(atom.name))) return true;
  return atom.kind === "tool-or-plugin" && !isCoreName(atom.name, among) && among.some(({ known }) => known.plugins.has(atom.name));
}
