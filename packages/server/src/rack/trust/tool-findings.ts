import { type AcceptedFinding, type ScanFinding, scanTool } from "@toolrack/core/scan";
import type { ServedTool } from "./guard.ts";
import { hashOf } from "./seen.ts";
import { hiddenImitation, imitationFinding } from "./shadowing.ts";
import type { WaitingDefinition } from "./trust.ts";

export interface FindingsInput {
  /** The tool, if it is served. */
  readonly served: ServedTool | undefined;
  readonly tool: string;
  readonly others: readonly { readonly name: string }[];
  readonly accept: readonly AcceptedFinding[];
  readonly waiting: readonly WaitingDefinition[];
  /** Whether what nobody has approved is told with its words, name and source. */
  readonly withUnapproved: boolean;
}

/** What the scanner finds in a served definition, tools of the same name elsewhere, and waiting definitions that imitate or steer it. */
export function findingsOf({ served, tool, others, accept, waiting, withUnapproved }: FindingsInput): readonly ScanFinding[] {
  const names = new Set([tool, ...(served === undefined ? [] : [served.name])]);
  const found = served === undefined ? [] : scanTool(served.shown, { among: others, accept });
  const isShared = served !== undefined && others.some(({ name }) => name === served.name);
  return [
    ...found,
    ...waiting
      .filter(({ about }) => about.some((name) => names.has(name)))
      .map((one) => (withUnapproved ? imitationFinding(one) : hiddenImitation(one))),
    ...(isShared ? [sharedName(served.name)] : []),
  ];
}

function sharedName(name: string): ScanFinding {
  return {
    rule: "same-name",
    severity: "info",
    path: "/name",
    message: `Another source has a tool called "${name}", too.`,
    evidence: name,
    fix: "Tell the two apart by the names that models see, or use one of them alone.",
    digest: `sha256:${hashOf(name)}`,
  };
}
