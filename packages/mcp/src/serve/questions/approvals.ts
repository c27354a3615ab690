import type { Answer, ApprovalTicket } from "@toolrack/core";
import type { JsonObject } from "../../wire/protocol.ts";
import type { InputRequest } from "../client/client.ts";

/** The name of the question whether a call may go ahead. Only a signed request state makes an answer to it count. */
export function approvalKey(digest: string): string {
  return `${prefix}${digest}`;
}

export function isApprovalKey(key: string): boolean {
  return key.startsWith(prefix);
}

const prefix = "approval:";

/** What a person is shown: the question and the arguments. The key of the question binds the answer to them. With a session, the yes may hold for it. */
export function approvalRequest(
  { tool, reason }: Pick<ApprovalTicket, "tool" | "reason">,
  input: unknown,
  hasSession: boolean,
): InputRequest {
  const shown = JSON.stringify(input) ?? "";
  const given = shown.length > 1000 ? `${shown.slice(0, 1000)}…` : shown;
  const message = `${reason ?? `May the tool "${tool}" be called?`}\n\n${tool} ${given}`;
  const scope = { type: "string", title: "For how long", enum: ["once", "session"], default: "once" };
  return {
    method: "elicitation/create",
    params: { message, requestedSchema: { type: "object", properties: hasSession ? { scope } : {} } },
  };
}

/** The answer of a client, as the registry takes it. */
export function toAnswer(response: unknown): Answer {
  const { action, content } = response as { action: Answer["action"]; content?: JsonObject };
  return action === "accept" ? { action, ...(content !== undefined && { value: content }) } : { action };
}
