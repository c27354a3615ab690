import { hashOf } from "./seen.ts";
import type { Trust, WaitingDefinition } from "./trust.ts";

/** What waits of one source and needs no look at each definition, with the digest of that list. */
export function bulkOf(source: string, waiting: readonly WaitingDefinition[]): ReturnType<Trust["bulkOf"]> {
  const definitions = waiting.filter((one) => one.source === source && isPlain(one));
  return { digest: hashOf(definitions.map(({ id, digest }) => `${id} ${digest}`).join("\n")), definitions };
}

/** A look at the list is enough: no finding, nothing told, and no change but of wording. */
export function isPlain({ reason, verdict, told, findings }: WaitingDefinition): boolean {
  if (told.length > 0 || findings.some(({ severity }) => severity !== "info")) return false;
  return reason === "new" || verdict === "compatible";
}
