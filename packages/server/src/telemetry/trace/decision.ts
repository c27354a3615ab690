import type { CallRecord } from "@toolrack/core";

/**
 * What was decided about a call: "allowed" and it ran, "approved" by a person and it ran, "asked" and it waits for a person, "denied" by a
 * person or by nobody answering, "refused" by policy, limits, checks or because something is missing. What was refused did not run.
 */
export type CallDecision = "allowed" | "approved" | "asked" | "denied" | "refused";

export function decisionOf({ result, isApproved }: Pick<CallRecord, "result" | "isApproved">): CallDecision {
  if (result.ok || ranCodes.has(result.code)) return isApproved === true ? "approved" : "allowed";
  return result.code === "APPROVAL_REQUIRED" ? "asked" : result.code === "APPROVAL_DENIED" ? "denied" : "refused";
}

/** Failures of tools that ran. Every other code stands for a call that did not. */
const ranCodes: ReadonlySet<string> = new Set([
  "TOOL_FAILED",
  "TIMEOUT",
  "ABORTED",
  "OUTPUT_INVALID",
  "RESULT_INVALID",
  "RESULT_TOO_LARGE",
]);
