import type { ApprovalRequest, Approver, Caller } from "@toolrack/core";
import { createMcpApprover } from "@toolrack/mcp";

export interface ChooseApproverOptions {
  /** The requests that people answer through the API, the console and the command line. */
  readonly approvals: Approver;
  /** Whether the MCP client of any caller may ask its own user. @default only the owner's client */
  readonly askClients: boolean;
  /** Whether a program made the call: its question is stored with it, since a program is not run again for an answer. */
  isOfProgram(request: ApprovalRequest): boolean;
}

/**
 * Selects who is asked. An MCP client can show the request to its user, but the server cannot verify that a user answered. So the owner's
 * client is trusted, and others only if the configuration allows it.
 */
export function chooseApprover({ approvals, askClients, isOfProgram }: ChooseApproverOptions): Approver {
  const client = createMcpApprover({ otherwise: approvals });
  return { ask: (request) => (mayAskClient(request.caller, askClients) && !isOfProgram(request) ? client : approvals).ask(request) };
}

/** The user of a client that did not sign in is unknown. */
export function mayAskClient({ owner, principal }: Caller, askClients: boolean): boolean {
  return owner === true || (askClients && principal !== "anonymous");
}
