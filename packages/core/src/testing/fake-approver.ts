import type { ApprovalRequest, Approver } from "../call/ports/approver.ts";
import type { Answer } from "../tool/context.ts";

/** A person who always answers the same way, or as a function says. */
export interface FakeApprover extends Approver {
  /** Every question so far, the oldest first. */
  readonly requests: readonly ApprovalRequest[];
}

export function createFakeApprover(answer: Answer | ((request: ApprovalRequest) => Answer) = { action: "accept" }): FakeApprover {
  const requests: ApprovalRequest[] = [];
  return {
    requests,
    async ask(request) {
      requests.push(request);
      return typeof answer === "function" ? answer(request) : answer;
    },
  };
}
