import { normalizeToolName } from "../../tool/name.ts";
import { governedNames, grantingNames, registrationOf } from "../../tool/registered.ts";
import { matchesGlob } from "../../util/glob.ts";
import type { PolicyTool } from "../policy.ts";
import type { ListEntry } from "./entries.ts";

/**
 * The name by which an entry matches a tool that was renamed. Undefined for every other tool, and for an entry that matches without a name:
 * "*", a plugin, a group that the tool joined.
 */
export function matchedName({ atoms }: ListEntry, tool: PolicyTool, grants: boolean): string | undefined {
  if (registrationOf(tool) === undefined) return undefined;
  const names = grants ? grantingNames(tool) : governedNames(tool);
  if (names.length === 1 && names[0] === tool.name) return undefined;
  return names.find((name) => {
    const normalized = normalizeToolName(name);
    return atoms.some((atom) => {
      if (atom.kind === "glob") return matchesGlob(atom.glob, normalized);
      return (atom.kind === "tool" || atom.kind === "tool-or-plugin") && atom.name === normalized;
    });
  });
}
