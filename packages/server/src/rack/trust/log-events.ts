import { openDefinitionLog } from "@toolrack/store";
import type { LogDefinitions } from "./trust.ts";

/** Adds what was seen and decided to the log of definitions, in the transaction of the records. A restored definition is an approval. */
export const logDefinitions: LogDefinitions = (tx, events) =>
  openDefinitionLog(tx).append(
    events.map(({ kind, source, identity, name, tool, print, by }) => ({
      kind: kind === "restore" ? "approval" : kind,
      source: identity === "" ? source : identity,
      tool: name,
      print,
      by,
      detail: { sourceId: source, shownAs: tool, ...(kind === "restore" && { restored: true }) },
    })),
    tx,
  );
