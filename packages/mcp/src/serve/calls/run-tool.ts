import {
  type Approval,
  type InvokeOptions,
  type Progress,
  type Registry,
  type ToolDefinition,
  ToolError,
  type ToolResult,
} from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import type { JsonObject } from "../../wire/protocol.ts";
import { approvalKey, approvalRequest, isApprovalKey, toAnswer } from "../questions/approvals.ts";
import { withClient } from "../client/client.ts";
import type { ServedCall } from "../client/served-call.ts";
import type { Exchange } from "../exchange.ts";
import { audienceOf } from "./audience.ts";

/**
 * Makes the call, and asks the client where a person has to agree. The call is then made again with the answer: once more than
 * there are questions at most, because an answer that the registry does not take is not tried a second time. `callId` is that of the first call.
 */
export async function runTool(
  registry: Registry,
  served: ServedCall,
  name: string,
  input: JsonObject,
  tool: ToolDefinition | undefined,
  callId?: string,
): Promise<ToolResult> {
  const given = toInvokeOptions(served.exchange, served);
  // A client that shows its user what is for them gets all of it.
  const options: InvokeOptions = audienceOf(tool, served.exchange) === undefined ? given : { ...given, deliver: "model" };
  const approvals = knownApprovals(served);
  const first: InvokeOptions = callId === undefined ? options : { ...options, callId };
  const result = await registry.invoke(name, input, approvals.length === 0 ? first : { ...first, approval: approvals });
  if (result.ok || result.code !== "APPROVAL_REQUIRED") return result;
  return askAndRun(registry, served, name, input, { options, approvals, first: result });
}

interface Begun {
  readonly options: InvokeOptions;
  readonly approvals: Approval[];
  readonly first: ToolResult;
}

async function askAndRun(registry: Registry, served: ServedCall, name: string, input: JsonObject, begun: Begun): Promise<ToolResult> {
  const { options, approvals, first } = begun;
  const tried = new Set<string>();
  let result = first;
  for (;;) {
    const ticket = result.ok || result.code !== "APPROVAL_REQUIRED" ? undefined : result.approval;
    if (ticket === undefined || served.missing !== undefined || served.refusal !== undefined) return result;
    if (tried.has(ticket.digest)) return result;
    if (!approvals.some(({ digest }) => digest === ticket.digest)) {
      const request = approvalRequest(ticket, input, served.exchange.caller.session !== undefined);
      const response = await askOrRefuse(served, approvalKey(ticket.digest), request);
      if (response === undefined) return result;
      approvals.push({ digest: ticket.digest, answer: toAnswer(response) });
    }
    tried.add(ticket.digest);
    result = await registry.invoke(name, input, { ...options, approval: approvals });
  }
}

/** Undefined: there is no answer now, or the client cannot be asked. */
async function askOrRefuse(served: ServedCall, key: string, request: ReturnType<typeof approvalRequest>): Promise<unknown> {
  try {
    return (await served.inputs({ [key]: request }))[key];
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

function knownApprovals(served: ServedCall): Approval[] {
  const { answers } = served;
  const keys = Object.keys(answers).filter(isApprovalKey);
  if (keys.length === 0) return [];
  served.used = [...served.used, ...keys];
  return keys.map((key) => ({ digest: key.slice(approvalKey("").length), answer: toAnswer(answers[key]) }));
}

function toInvokeOptions(exchange: Exchange, served: ServedCall): InvokeOptions {
  const { params, signal } = exchange;
  const caller = withClient(exchange.caller, served);
  const meta = params["_meta"];
  if (!isObject(meta)) return exchange.trace === undefined ? { caller, signal } : { caller, signal, trace: exchange.trace };
  const token = meta["progressToken"];
  const own = toTrace(meta);
  const trace = own !== undefined && exchange.trace !== undefined ? { ...own, ...exchange.trace } : (own ?? exchange.trace);
  if (token === undefined && trace === undefined) return { caller, signal };
  return {
    caller,
    signal,
    ...(token !== undefined && { onProgress: progressTeller(exchange, token) }),
    ...(trace !== undefined && { trace }),
  };
}

/** The protocol requires a number that grows; updates without one get a counter. */
function progressTeller(exchange: Exchange, progressToken: unknown): (update: Progress) => void {
  let latest = -1;
  return ({ progress = latest + 1, total, message }) => {
    if (progress <= latest) return;
    latest = progress;
    const fields = { progressToken, progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
    exchange.notify("notifications/progress", fields);
  };
}

/** The keys that the protocol reserves for tracing. */
function toTrace({ traceparent, tracestate, baggage }: JsonObject): JsonObject | undefined {
  if (typeof traceparent !== "string") return undefined;
  return { traceparent, ...(typeof tracestate === "string" && { tracestate }), ...(typeof baggage === "string" && { baggage }) };
}
