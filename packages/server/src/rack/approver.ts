import type { Approver } from "@toolrack/core";
import { createMcpApprover } from "@toolrack/mcp";

export interface ChooseApproverOptions {
  /** The questions that people answer through the API, the console and the command line. */
  readonly desk: Approver;
  /** Whether the program of any caller may put the question to its own person. @default only that of the owner */
  readonly askClients: boolean;
}

/**
 * Where a question goes. A client of MCP can show it to the person in front of it; whether such a person is there, and answers, the server
 * cannot see. The owner's own client is trusted with it, others only where the configuration says so.
 */
export function chooseApprover({ desk, askClients }: ChooseApproverOptions): Approver {
  const client = createMcpApprover({ otherwise: desk });
  return { ask: (request) => (askClients || request.caller.owner === true ? client : desk).ask(request) };
}
