import type { CallRecord } from "@toolrack/core";

/**
 * The decision about a call: "allowed" and it ran, "approved" by a person and it ran, "asked" and it waits for approval, or ended before anybody
 * answered, "denied" by a person or by timeout, "refused" by policy, limits or validation, or because something is missing. A refused call did not run.
 */
export type CallDecision = "allowed" | "approved" | "asked" | "denied" | "refused";

export function decisionOf({ result, isApproved, isAsked }: Pick<CallRecord, "result" | "isApproved" | "isAsked">): CallDecision {
  if (isAsked === true && !result.ok && result.code === "ABORTED") return "asked";
  if (result.ok || ranCodes.has(result.code)) return isApproved === true ? "approved" : "allowed";
  return result.code === "APPROVAL_REQUIRED" ? "asked" : result.code === "APPROVAL_DENIED" ? "denied" : "refused";
}

/** Errors of tools that ran. Every other code is of a call that did not run. */
const ranCodes: ReadonlySet<string> = new Set([
  "TOOL_FAILED",
  "TIMEOUT",
  "ABORTED",
  "OUTPUT_INVALID",
  "RESULT_INVALID",
  "RESULT_TOO_LARGE",
]);
