import { nearestNames } from "@toolrack/json-schema/internal";
import { ToolError } from "../../errors.ts";
import { contentHash } from "../../util/hash.ts";
import type { ProviderLimits } from "../provider.ts";

/**
 * A vendor's name for a tool: its own where that is legal; otherwise its legal characters and eight digits that depend on the name
 * alone, so that it stays the same whatever tools come or go. "files.read" → "files_read_1f0c93ab"
 */
export function wireName(name: string, limits: ProviderLimits): string {
  return limits.name.test(name) ? name : mangled(name, limits, 8);
}

/** The same for a name that another tool already has: more digits, until it is alone. */
export function freeWireName(name: string, limits: ProviderLimits, isTaken: (name: string) => boolean): string {
  let candidate = wireName(name, limits);
  for (let digits = 12; isTaken(candidate) && digits <= 32; digits += 4) candidate = mangled(name, limits, digits);
  return candidate;
}

/** Throws CONFIG_INVALID for a name that no tool of a list has, with the nearest one. */
export function checkNames(names: readonly string[], known: ReadonlySet<string>, place: string): void {
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return;
  const [near] = nearestNames(unknown, known, 1);
  const hint = near === undefined ? `Name one of the ${known.size} tools that are exported.` : `Did you mean "${near}"?`;
  throw new ToolError(
    "CONFIG_INVALID",
    `${place} names the tool ${JSON.stringify(unknown.slice(0, 140))}, which is not in the list. ${hint}`,
  );
}

function mangled(name: string, { nameLength }: ProviderLimits, digits: number): string {
  const suffix = `_${contentHash(name).slice("sha256:".length, "sha256:".length + digits)}`;
  const words = name.replace(/[^A-Za-z0-9_-]+/g, "_").replace(/^[^A-Za-z_]+/, "_");
  return `${words.slice(0, nameLength - suffix.length) || "tool"}${suffix}`;
}
