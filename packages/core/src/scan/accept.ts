import { sha256Hex } from "#platform";
import type { AcceptedFinding, ScanFinding } from "./finding.ts";

export function digestOfText(text: string): string {
  return `sha256:${sha256Hex(text)}`;
}

/** Findings that were accepted become infos, with the reason. */
export function withAccepted(findings: readonly ScanFinding[], accepted: readonly AcceptedFinding[]): readonly ScanFinding[] {
  if (accepted.length === 0) return findings;
  return findings.map((finding) => {
    const found = accepted.find(({ digest, rule }) => digest === finding.digest && (rule === undefined || rule === finding.rule));
    return found === undefined ? finding : { ...finding, severity: "info", accepted: found.reason };
  });
}
