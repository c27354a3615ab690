import { ToolError } from "../../errors.ts";
import { normalizeToolName } from "../../tool/name.ts";
import { coreToolGroups, isGroupEntry, pluginsGroup, type ToolGroups } from "../catalog/groups.ts";
import { compileGlob, type Glob, isEverything, isGlob } from "../../util/glob.ts";
import type { ListName, ToolPolicyStep } from "../policy.ts";

/** One entry of a list, as it was written and as it is compared. */
export interface ListEntry {
  /** As written, without the spaces around it. */
  readonly text: string;
  /** Normalised; entries that are equal here are one entry. */
  readonly name: string;
  /** Where it was written; absent for default entries. */
  readonly list: ListName;
  readonly position?: number;
  readonly atoms: readonly Atom[];
}

/** What an entry is resolved to: a group becomes its members. */
export type Atom =
  | { readonly kind: "all" }
  | { readonly kind: "glob"; readonly glob: Glob }
  | { readonly kind: "tool"; readonly name: string }
  /** A name that an operator wrote: of a tool, or of a plugin. */
  | { readonly kind: "tool-or-plugin"; readonly name: string }
  | { readonly kind: "plugins" }
  /** Tools that joined the group, or the profile, by their metadata. */
  | { readonly kind: "joined-group"; readonly group: string }
  | { readonly kind: "joined-profile"; readonly profile: string };

/** Blank entries are left out, repeated ones kept once, in their order. */
export function readEntries(step: ToolPolicyStep, list: ListName, groups: ToolGroups | undefined): ListEntry[] {
  const written: readonly unknown[] | undefined = step[list];
  if (written === undefined) return [];
  assertEntries(written, `${step.label}.${list}`);
  const entries = new Map<string, ListEntry>();
  for (let position = 0; position < written.length; position++) {
    const text = written[position]!.trim();
    if (text === "") continue;
    const name = normalizeToolName(text);
    if (!entries.has(name)) entries.set(name, { text, name, list, position, atoms: toAtoms(name, groups) });
  }
  return [...entries.values()];
}

/** A single entry that is not part of a list. */
export function readEntry(text: string, groups: ToolGroups | undefined): ListEntry {
  const name = normalizeToolName(text);
  return { text: text.trim(), name, list: "allow", atoms: toAtoms(name, groups) };
}

/** Throws if a list is not a list, or an entry not a string. */
export function assertEntries(list: unknown, location: string): asserts list is readonly string[] {
  if (!Array.isArray(list)) throw new ToolError("POLICY_INVALID", `${location} must be a list of names, but it is ${describeValue(list)}.`);
  const wrong = list.findIndex((entry) => typeof entry !== "string");
  if (wrong === -1) return;
  const found = describeValue(list[wrong]);
  throw new ToolError("POLICY_INVALID", `${location}[${wrong}] must be the name of a tool, a group or a plugin, but it is ${found}.`);
}

/** "5" → "\"5\"", 5 → "the number 5", {} → "an object": for messages. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === "number" || typeof value === "boolean") return `the ${typeof value} ${value}`;
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function toAtoms(name: string, groups: ToolGroups | undefined): readonly Atom[] {
  if (isGlob(name)) return [toGlobAtom(name)];
  if (!isGroupEntry(name)) return [{ kind: "tool-or-plugin", name }];
  if (name === pluginsGroup) return [{ kind: "plugins" }];
  return groupAtoms(name, groups);
}

/** A group holds names, globs, plugin ids and the catalog's groups; it does not hold other groups of its own kind. */
function groupAtoms(group: string, groups: ToolGroups | undefined): readonly Atom[] {
  const joined: Atom = { kind: "joined-group", group };
  const core = coreToolGroups.get(group);
  if (core) return [...core.map((name): Atom => ({ kind: "tool", name })), joined];
  const members = groups?.get(group) ?? [];
  return [...members.flatMap((member) => toAtoms(normalizeToolName(member), undefined)), joined];
}

function toGlobAtom(name: string): Atom {
  const glob = compileGlob(name);
  return isEverything(glob) ? { kind: "all" } : { kind: "glob", glob };
}
