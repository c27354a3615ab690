import type { ToolDefinition } from "@toolrack/core";
import { changeTool, withRegistration } from "@toolrack/core/internal";
import { StoreError } from "@toolrack/store";
import type { ToolOverlay } from "../../config/overlay.ts";
import { agentOf, type Author, type AuthorRole, roleOf } from "../audit/author.ts";

/** Who stands for the name and the groups of an overlay. Absent in records of older versions: nobody does. */
export interface NamedBy {
  readonly by: string;
  readonly role: AuthorRole;
}

/** The part of an overlay that policies go by. */
export type Names = Pick<ToolOverlay, "name" | "groups">;

/** Throws FORBIDDEN where somebody other than an admin changes by which names and groups policies match a tool. */
export function demandAdminForNames(tool: string, by: Author, before: Names = {}, after: Names = {}): void {
  const changed = changedNames(before, after);
  if (changed.length === 0 || roleOf(by) === "admin") return;
  throw new StoreError(
    "FORBIDDEN",
    `"${agentOf(by)}" may not change the ${changed.join(" and the ")} of "${tool}": policies go by them, so that needs the role "admin". Leave them as they are, or ask an admin.`,
  );
}

/** An admin stands for what he writes; what somebody else leaves as it was keeps its maker. */
export function namedBy(by: Author, known: NamedBy | undefined, overlay: Names): NamedBy | undefined {
  if (overlay.name === undefined && overlay.groups === undefined) return undefined;
  return roleOf(by) === "admin" ? { by: agentOf(by), role: "admin" } : known;
}

/** What of an overlay nobody stands for: a record says it, the file does not, and no admin wrote or confirmed it. */
export function unconfirmedNames(stored: Names & { readonly namedBy?: NamedBy | undefined }, file: Names = {}): Names {
  if (stored.namedBy?.role === "admin") return {};
  const groups = stored.groups?.filter((group) => file.groups?.includes(group) !== true) ?? [];
  return {
    ...(stored.name !== undefined && stored.name !== file.name && { name: stored.name }),
    ...(groups.length > 0 && { groups }),
  };
}

/** The tool with the name that its source registered, if it is another one, and with what policies may not go by when they allow. */
export function withRegisteredName(tool: ToolDefinition, registered: ToolDefinition, unconfirmed: Names, source: string): ToolDefinition {
  const own = registered.metadata?.groups ?? [];
  const addedGroups = unconfirmed.groups?.filter((group) => !own.includes(group)) ?? [];
  const isRenamed = tool.name !== registered.name;
  if (!isRenamed && addedGroups.length === 0) return tool;
  const isConfirmed = addedGroups.length === 0 && unconfirmed.name === undefined;
  return changeTool(tool, withRegistration({ name: tool.name }, { name: registered.name, source, isConfirmed, addedGroups }));
}

function changedNames(before: Names, after: Names): readonly string[] {
  const sorted = ({ groups = [] }: Names): string => JSON.stringify([...new Set(groups)].toSorted());
  return [...(before.name === after.name ? [] : ["name"]), ...(sorted(before) === sorted(after) ? [] : ["groups"])];
}
