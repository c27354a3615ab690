import { ToolError } from "../errors.ts";
import type { Answer, AskRequest } from "../tool/context.ts";
import type { ApprovalTicket } from "../tool/result.ts";
import { contentHash } from "../util/hash.ts";
import type { CallState } from "./context.ts";

/** Thrown to a handler whose question nobody could answer: the call then answers APPROVAL_REQUIRED, with what has to be decided. */
export class ApprovalNeeded extends ToolError {
  readonly approval: ApprovalTicket;
  constructor(message: string, approval: ApprovalTicket) {
    super("APPROVAL_REQUIRED", message);
    this.approval = approval;
  }
}

/** Binds an answer to one tool, one set of arguments and one question. */
export function approvalDigest(tool: string, input: unknown, question: string): string {
  return contentHash({ tool, input, question });
}

/** Asks the person behind a call: the answer that the call brought along, else the approver. Refused where nobody can answer. */
export async function askPerson(request: AskRequest, call: CallState): Promise<Answer> {
  const tool = call.tool.name;
  const digest = approvalDigest(tool, call.input, request.message);
  const { approval } = call.options;
  if (approval?.digest === digest) return approval.answer;
  const { approver } = call.host;
  if (approver === undefined) {
    throw new ApprovalNeeded(`Tool "${tool}" has to ask a person: ${request.message} Call again with approval { digest: "${digest}", answer }.`, {
      tool,
      digest,
      reason: request.message,
    });
  }
  const answer = await approver.ask({ ...request, digest, tool, input: call.input, callId: call.callId, caller: call.caller, signal: call.signal });
  if (answer?.action === "accept" || answer?.action === "decline" || answer?.action === "cancel") return answer;
  throw new ToolError("ANSWER_UNAVAILABLE", `The approver gave no answer to: ${request.message}`);
}
