import { openDefinitionLog } from "@toolrack/store";
import type { LogDefinitions } from "./trust.ts";

/** Adds what happens to definitions to the log that anyone can check, with the records and in their transaction. */
export const logDefinitions: LogDefinitions = (tx, events) =>
  openDefinitionLog(tx).append(
    events.map(({ kind, source, identity, name, tool, print, by }) => ({
      kind,
      source: identity === "" ? source : identity,
      tool: name,
      print,
      by,
      detail: { sourceId: source, shownAs: tool },
    })),
    tx,
  );
