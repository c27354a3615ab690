import { type Approver, ToolError } from "@toolrack/core";
import { approvalKey, approvalRequest, toAnswer } from "./approvals.ts";
import { type InputRequest, mcpClient } from "../client/client.ts";
import { canAnswer } from "../client/inputs.ts";

export interface McpApproverOptions {
  /** Asked for calls that did not come over MCP, and where the client cannot ask its person. @default such calls are refused */
  readonly otherwise?: Approver;
}

/**
 * Asks the person in front of the MCP client that made the call. Give it to the registry where several ways lead to a person, or
 * where tools ask for values; without any approver the endpoint asks the client by itself, for a plain yes or no.
 */
export function createMcpApprover({ otherwise }: McpApproverOptions = {}): Approver {
  return {
    async ask(request) {
      const client = mcpClient(request);
      if (client !== undefined && canAnswer({ method: "elicitation/create" }, client.capabilities)) {
        const key = approvalKey(request.digest);
        return toAnswer((await client.inputs({ [key]: toInputRequest(request) }))[key]);
      }
      if (otherwise !== undefined) return otherwise.ask(request);
      throw new ToolError("ANSWER_UNAVAILABLE", `Nobody can be asked here: ${request.message}`);
    },
  };
}

function toInputRequest({ tool, message, schema, input, caller }: Parameters<Approver["ask"]>[0]): InputRequest {
  if (schema !== undefined) return { method: "elicitation/create", params: { message, requestedSchema: schema } };
  return approvalRequest({ tool, reason: message }, input, caller.session !== undefined);
}
