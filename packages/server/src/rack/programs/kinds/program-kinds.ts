import type { ImplementationKind } from "@toolrack/store";
import type { ProgramHost } from "./_definition.ts";
import { chainKind } from "./chain.ts";
import { codeKind } from "./code.ts";

/** The kinds of stored tools that are programs: `code` and `chain`. Nothing of the machine is loaded before the first of them is read. */
export function programKinds(host: ProgramHost): readonly ImplementationKind[] {
  return [codeKind(host), chainKind(host)];
}
