import { disguiseOf } from "@toolrack/core/internal";
import { OperationFault } from "../fault.ts";

/** Whether a text has a control character that is not among those allowed. */
export function hasControl(text: string, allowed = ""): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code < 0x20 || code === 0x7f) && !allowed.includes(text[at]!)) return true;
  }
  return false;
}

/** Throws an OperationFault for a name that people and models take for another one. `what` is "parameter". */
export function refuseDisguise(name: string, what: string): void {
  const found = disguiseOf(name);
  if (found === undefined) return;
  throw new OperationFault(
    `The ${what} ${JSON.stringify(name.slice(0, 80))} looks like ${JSON.stringify(found.looksLike.slice(0, 80))}, but has other letters (${found.letters.slice(0, 10).join(", ")}).`,
  );
}
