import type { SourceInfo } from "@toolrack/server";
import { safe } from "../print/safe.ts";

/** What a source starts, reaches or supplies, a line for each fact: all that a person has to look at before approving it. */
export function sourceLines({ id, config = {}, identity, state, supplies }: SourceInfo): readonly string[] {
  const facts = [
    ...shownKeys.flatMap((key) => (config[key] === undefined ? [] : [`  ${key}: ${safe(JSON.stringify(config[key]))}`])),
    ...(supplies === undefined ? [] : [`  supplies ${suppliedText(supplies)}`]),
  ];
  if (facts.length === 0) return [];
  const waits =
    state === "waiting-for-approval" && identity !== undefined ? [`  approve with: toolrack sources approve ${safe(id)} ${identity}`] : [];
  return [`${safe(id)}:`, ...facts, ...(identity === undefined ? [] : [`  digest: ${identity}`]), ...waits];
}

/** "pack tickets; vendors acme, other" */
export function suppliedText(supplies: NonNullable<SourceInfo["supplies"]>): string {
  const part = (one: string, many: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`${names.length === 1 ? one : many} ${names.map(safe).join(", ")}`];
  return [
    ...part("kind of stored tool", "kinds of stored tools", supplies.kinds),
    ...part("pack", "packs", supplies.packs),
    ...part("type of source", "types of sources", supplies.sources),
    ...part("vendor", "vendors", supplies.vendors),
    ...part("wrapper", "wrappers", supplies.wrappers),
    ...part("lint rule", "lint rules", supplies.lintRules),
  ].join("; ");
}

const shownKeys = ["type", "options", "command", "args", "cwd", "env", "loads", "url", "headers", "allowHosts", "allowUnpinned"] as const;
