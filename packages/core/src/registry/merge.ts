import type { Entries } from "./entries.ts";
import type { MergeReport, RegistryEntry } from "./registry.ts";
import type { ConflictMode, PutOutcome } from "./tool-map.ts";

/** Takes over the entries of another registry. With conflicts that `onConflict` does not settle, nothing changes. */
export function mergeEntries(entries: Entries, others: readonly RegistryEntry[], onConflict: ConflictMode): MergeReport {
  const taken = others.filter(({ tool }) => entries.sameVersion(tool) !== undefined);
  const conflicts = [...new Set(taken.map(({ tool }) => tool.name))];
  if (onConflict === "error" && conflicts.length > 0) return { added: [], replaced: [], conflicts };
  for (const { tool } of others) entries.requireNeeds(tool);
  const outcomes = others.map(({ tool, source, state, reason }) => {
    return [tool.name, entries.put(tool, source, onConflict, state === "disabled" ? reason : undefined)] as const;
  });
  const named = (wanted: PutOutcome): string[] => outcomes.filter(([, outcome]) => outcome === wanted).map(([name]) => name);
  return { added: named("added"), replaced: named("replaced"), conflicts };
}
