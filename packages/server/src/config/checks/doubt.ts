import type { ReadConfig } from "../read.ts";

/**
 * Why a valid file may be half-written. Every prefix of a YAML file tends to be valid YAML, and a slow writer looks finished; so a file
 * that lost what a truncation would lose needs approval.
 */
export function doubtAbout(before: ReadConfig, after: ReadConfig): string | undefined {
  if (before.text.trim() === "" || before.text === after.text) return undefined;
  if (after.text.trim() === "") return "it is empty";
  if (hasPolicy(before) && !hasPolicy(after)) return "its policy is gone";
  if (before.text.startsWith(after.text)) return "it is only the beginning of the file before it";
  if (before.text.endsWith("\n") && !after.text.endsWith("\n")) return "its last line has no end";
  return undefined;
}

function hasPolicy({ config }: ReadConfig): boolean {
  return Object.keys(config.policy ?? {}).length > 0;
}
