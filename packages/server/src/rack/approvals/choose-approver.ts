import type { Approver, Caller } from "@toolrack/core";
import { createMcpApprover } from "@toolrack/mcp";

export interface ChooseApproverOptions {
  /** The questions that people answer through the API, the console and the command line. */
  readonly approvals: Approver;
  /** Whether the program of any caller may put the question to its own person. @default only that of the owner */
  readonly askClients: boolean;
}

/**
 * Where a question goes. A client of MCP can show it to the person in front of it; whether such a person is there, and answers, the server
 * cannot see. The owner's own client is trusted with it, others only where the configuration says so.
 */
export function chooseApprover({ approvals, askClients }: ChooseApproverOptions): Approver {
  const client = createMcpApprover({ otherwise: approvals });
  // Nobody knows who sits in front of a client that did not sign in.
  const isTrusted = ({ owner, principal }: Caller): boolean => owner === true || (askClients && principal !== "anonymous");
  return { ask: (request) => (isTrusted(request.caller) ? client : approvals).ask(request) };
}
