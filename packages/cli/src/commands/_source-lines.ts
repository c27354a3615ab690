import type { SourceInfo } from "@toolrack/server";
import { safe } from "../print/safe.ts";

/** What a source starts or reaches, a line for each fact: all that a person has to look at before approving it. */
export function sourceLines({ id, config = {}, identity, state }: SourceInfo): readonly string[] {
  const facts = shownKeys.flatMap((key) => (config[key] === undefined ? [] : [`  ${key}: ${safe(JSON.stringify(config[key]))}`]));
  if (facts.length === 0) return [];
  const waits =
    state === "waiting-for-approval" && identity !== undefined ? [`  approve with: toolrack sources approve ${safe(id)} ${identity}`] : [];
  return [`${safe(id)}:`, ...facts, ...(identity === undefined ? [] : [`  digest: ${identity}`]), ...waits];
}

const shownKeys = ["command", "args", "cwd", "env", "loads", "url", "headers", "allowHosts", "allowUnpinned"] as const;
