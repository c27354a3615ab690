import { isCatalogName } from "../catalog/catalog.ts";
import { createGlobFinder } from "./_globs.ts";
import type { ListEntry } from "./entries.ts";
import { type IndexedTools, isNameTaken } from "./indexed-tools.ts";
import type { Glob } from "../../util/glob.ts";

/** Holds the entries of one list against single tools. Says what `markClasses` says of the tool's class, without a look at every tool. */
export interface ListMatcher {
  readonly entries: readonly ListEntry[];
  /** 1 + the entry that names the first tool of `one`, or 0. @param among all tools, which decide what a name means */
  entryFor(one: IndexedTools, among: Among): number;
}

/** The tools that one tool is decided among, in one index or several. */
export type Among = readonly IndexedTools[];

/** @param grants as for `markClasses` */
export function createListMatcher(entries: readonly ListEntry[], grants: boolean): ListMatcher {
  const names = new Map<string, number>();
  const pluginIds = new Map<string, number>();
  const groups = new Map<string, number>();
  const profiles = new Map<string, number>();
  const globs: Glob[] = [];
  const globEntries: number[] = [];
  let plugins = 0;
  let everything = 0;
  for (const [position, { atoms }] of entries.entries()) {
    const number = position + 1;
    for (const atom of atoms) {
      if (atom.kind === "all") everything ||= number;
      else if (atom.kind === "plugins") plugins ||= number;
      else if (atom.kind === "joined-group") putFirst(groups, atom.group, number);
      else if (atom.kind === "joined-profile") putFirst(profiles, atom.profile, number);
      else if (atom.kind === "glob") globEntries[globs.push(atom.glob) - 1] = number;
      else {
        putFirst(names, atom.name, number);
        if (atom.kind === "tool-or-plugin") putFirst(pluginIds, atom.name, number);
      }
    }
  }
  const findGlobs = globs.length === 0 ? undefined : createGlobFinder(globs);
  const globNaming = (name: string): number | undefined => {
    const glob = findGlobs?.(name)[0];
    return glob === undefined ? undefined : globEntries[glob];
  };
  const entryNaming = (name: string): number | undefined => earlier(names.get(name) ?? 0, globNaming(name));
  return {
    entries,
    entryFor({ names: [name], originOf, origins, renamed }, among) {
      const origin = origins[originOf[0]!]!;
      const shown = renamed?.get(0);
      const isTaken = grants && shown !== undefined && isNameTaken(name!, shown, among);
      let first = isTaken ? 0 : (names.get(name!) ?? 0);
      if (shown !== undefined && (shown.grants || !grants)) first = earlier(first, entryNaming(shown.name));
      if (origin.pluginId !== undefined) {
        const own = pluginIds.get(origin.pluginId);
        first = earlier(first, plugins);
        if (own !== undefined && (!grants || !isCoreName(origin.pluginId, among))) first = earlier(first, own);
      }
      for (const group of origin.groups) first = earlier(first, groups.get(group));
      if (!grants) for (const group of origin.narrowGroups ?? noGroups) first = earlier(first, groups.get(group));
      for (const profile of origin.profiles) first = earlier(first, profiles.get(profile));
      return earlier(first, isTaken ? 0 : globNaming(name!)) || everything;
    },
  };
}

const noGroups: readonly string[] = Object.freeze([]);

/** A plugin whose id is the name of a core tool gains nothing from that name. */
export function isCoreName(name: string, among: Among): boolean {
  return isCatalogName(name) || among.some(({ known }) => known.coreTools.has(name));
}

function putFirst(numbers: Map<string, number>, key: string, number: number): void {
  if (!numbers.has(key)) numbers.set(key, number);
}

function earlier(number: number, other: number | undefined): number {
  return other !== undefined && other !== 0 && (number === 0 || other < number) ? other : number;
}
