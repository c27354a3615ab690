import { type AcceptedFinding, type ScanFinding, scanTool } from "@toolrack/core/scan";
import { hashOf, type SeenTool } from "./seen.ts";
import { imitationFinding } from "./shadowing.ts";
import type { WaitingDefinition } from "./trust.ts";

export interface FindingsInput {
  /** The tool, if it is served. */
  readonly seen: SeenTool | undefined;
  readonly tool: string;
  readonly others: readonly { readonly name: string }[];
  readonly accept: readonly AcceptedFinding[];
  readonly waiting: readonly WaitingDefinition[];
}

/** What the scanner finds in a served definition, tools of the same name elsewhere, and waiting definitions that imitate or steer it. */
export function findingsOf({ seen, tool, others, accept, waiting }: FindingsInput): readonly ScanFinding[] {
  const names = new Set([tool, ...(seen === undefined ? [] : [seen.name])]);
  const found = seen === undefined ? [] : scanTool(seen.definition, { among: others, accept });
  const isShared = seen !== undefined && others.some(({ name }) => name === seen.name);
  return [
    ...found,
    ...waiting.filter(({ about }) => about.some((name) => names.has(name))).map(imitationFinding),
    ...(isShared ? [sharedName(seen.name)] : []),
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
