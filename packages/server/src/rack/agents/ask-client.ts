import type { CallContext, Caller } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import { type McpClient, mcpClient } from "@toolrack/mcp";
import { mayAskClient } from "../approvals/choose-approver.ts";
import type { Approvals, WaitingApproval } from "../approvals/approval.ts";
import { questionId } from "../approvals/approvals.ts";
import { questionOf, type waitingCalls } from "./waiting-calls.ts";

export interface AskClientOptions {
  readonly approvals: Pick<Approvals, "get" | "decide">;
  /** Whether the MCP client of any caller may ask its own user. */
  readonly askClients: boolean;
}

/**
 * Puts what a run waits for to the person in front of the MCP client that called the agent, where that client is trusted with it. Others may answer
 * meanwhile, as every question: the first answer counts.
 */
export async function askClient(
  context: Pick<CallContext, "caller">,
  calls: ReturnType<typeof waitingCalls>,
  { approvals, askClients }: AskClientOptions,
): Promise<void> {
  const client = mcpClient(context);
  if (client === undefined || !mayAskClient(context.caller, askClients) || !isObject(client.capabilities["elicitation"])) return;
  if (!(await canWait(client))) return;
  for (const call of calls) {
    const question = await approvals.get(questionId(questionOf(call.callId, call.digest)));
    if (question === undefined) continue;
    const { message, schema = nothing, digest } = question;
    const shown = `${message}\n\n${described(question)}`;
    const answer = await client.elicit({ message: shown, requestedSchema: schema }, `approval of ${digest}`);
    const approved = answer.action === "accept";
    const value = approved && question.schema !== undefined ? { value: answer.content } : {};
    await approvals.decide(question.id, { approved, digest, ...value, by: authorOf(context.caller) });
  }
}

/** A call that is made again for an answer would begin another run: the client has to answer while this one waits. */
async function canWait(client: McpClient): Promise<boolean> {
  if (client.era === "legacy") return true;
  const extensions = client.capabilities["extensions"];
  if (!isObject(extensions) || !Object.hasOwn(extensions, "io.modelcontextprotocol/tasks")) return false;
  return client.becomeTask().then(
    () => true,
    () => false,
  );
}

const nothing = { type: "object", properties: {} } as const;
const maxShown = 1_000;

function described({ tool, input, caller }: WaitingApproval): string {
  const given = JSON.stringify(input) ?? "";
  return `${caller.agent ?? "An agent"} calls ${tool} ${given.length > maxShown ? `${given.slice(0, maxShown)}…` : given}`;
}

function authorOf({ agent = "unknown", principal = "" }: Caller): { readonly agent: string; readonly principal: string } {
  return { agent, principal };
}
