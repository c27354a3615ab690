import type { WaitingProposal } from "@toolrack/server";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";

/** Everything that would change, whole: a person decides about what is seen here. */
export function showProposal({ caller, note, changes }: WaitingProposal, terminal: Terminal): readonly string[] {
  return [
    `${safe(caller.agent ?? "An unknown agent")} proposes to change ${changes.length === 1 ? "a setting" : `${changes.length} settings`}.`,
    ...(note === undefined ? [] : [`It says why: ${safe(note)}`]),
    ...changes.flatMap(({ key, before, after }) => [
      "",
      `${terminal.style.dim("SETTING")}  ${safe(key)}`,
      `${terminal.style.dim("NOW")}  ${before === undefined ? "not set" : terminal.json(before)}`,
      `${terminal.style.dim("THEN")}  ${after === null ? "removed" : terminal.json(after)}`,
    ]),
  ];
}
