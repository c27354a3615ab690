import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import type { Answer, AskRequest, Caller } from "../tool/context.ts";
import type { ApprovalTicket, ToolFailure } from "../tool/result.ts";
import { type ApprovalMemory, type ApprovalScope, createApprovalMemory } from "../policy/approvals.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { contentHash } from "../util/hash.ts";
import { privateCopy } from "../util/private-copy.ts";
import { createPendingQuestions, type PendingQuestions } from "./pending-questions.ts";
import type { ApprovalRequest, Approver } from "./ports/approver.ts";
import type { Call } from "./wrapper.ts";

/** Thrown if no one could be asked: the call then fails with APPROVAL_REQUIRED and what has to be decided. */
export class ApprovalNeeded extends ToolError {
  readonly approval: ApprovalTicket;
  constructor(message: string, approval: ApprovalTicket) {
    super("APPROVAL_REQUIRED", message);
    this.approval = approval;
  }
}

/** What asking a person needs from the registry. */
export interface ApprovalHost {
  /** Asks a person, if there is a way to. */
  readonly approver: Approver | undefined;
  /** Approvals for longer than one call; undefined until the first question. */
  approvals: ApprovalMemory | undefined;
  questions: PendingQuestions | undefined;
  /** The hash of the tool that is now registered under this name, including its source. */
  definitionNow(tool: ToolDefinition): string;
}

/** A handler asks the person behind its call. Throws if no one can answer. */
export function askPerson(request: AskRequest, call: Call, host: ApprovalHost): Promise<Answer> {
  checkQuestion(request, call.tool.name);
  const { tool, input, shownInput = input } = call;
  const about = { tool: tool.name, definition: host.definitionNow(tool), input: shownInput, question: request.message };
  return answerTo(request, contentHash(about), call, host);
}

/** A policy requires approval of a call. Undefined: it was approved. */
export async function approveCall(
  call: ConfiguredCall,
  reason: string,
  argumentsDigest: string,
  host: ApprovalHost,
): Promise<ToolFailure | undefined> {
  const approvals = (host.approvals ??= createApprovalMemory({ clock: call.clock }));
  const definition = host.definitionNow(call.tool);
  const digest = contentHash({ arguments: argumentsDigest, definition, ...(call.config !== undefined && { config: call.config }) });
  const about = { tool: call.tool.name, digest, definition, caller: call.caller };
  if (approvals.take(about) !== undefined) {
    call.agreed = argumentsDigest;
    return undefined;
  }
  try {
    const answer = await answerTo({ message: reason + settingsOf(call) }, digest, call, host);
    if (answer.action !== "accept") {
      const who = answer.action === "decline" ? "A person denied" : "Nobody approved in time";
      return call.fail("APPROVAL_DENIED", `${who} the call of tool "${call.tool.name}"${denialReason(answer.reason)}. ${reason}`);
    }
    if (host.definitionNow(call.tool) !== definition) {
      const fact = `Tool "${call.tool.name}" changed while a person was asked about it, so the answer does not apply to it.`;
      return call.fail("APPROVAL_DENIED", `${fact} Call again.`);
    }
    call.agreed = argumentsDigest;
    const scope = scopeOf(answer.value, call.caller);
    if (scope !== "once") approvals.remember({ ...about, scope });
    return undefined;
  } catch (error) {
    if (error instanceof ApprovalNeeded) return call.fail("APPROVAL_REQUIRED", error.message, { approval: error.approval });
    if (ToolError.is(error)) return call.fail(error.code, error.message, { retryable: error.retryable });
    throw error;
  }
}

/** The saved settings are there before the rules are asked, with references in place of secrets. */
type ConfiguredCall = Call & { readonly config?: unknown };

/** " It has the saved settings `to`, …": what the call goes by and its arguments do not show. The values may be private. */
function settingsOf({ config, input }: ConfiguredCall): string {
  const names = isObject(config) ? Object.keys(config).filter((name) => !isObject(input) || !Object.hasOwn(input, name)) : [];
  if (names.length === 0) return "";
  return ` It has the saved settings ${names.map((name) => `\`${name}\``).join(", ")}: a yes is for their present values.`;
}

/** Written out: the table of `checkFields` would be shared with what loads at once, and cost every program that is bundled. */
function checkQuestion(request: unknown, tool: string): void {
  const given = isObject(request) ? request : {};
  const fail = (fact: string): never => {
    throw new ToolError("CONFIG_INVALID", `Tool "${tool}": context.ask ${fact} Pass { message, schema? }.`);
  };
  const unknown = Object.keys(given).find((key) => key !== "message" && key !== "schema" && given[key] !== undefined);
  if (unknown !== undefined) fail(`has no option "${unknown}".`);
  if (typeof given["message"] !== "string" || given["message"] === "") fail("needs a message for the person, as text.");
  if (given["schema"] !== undefined && !isObject(given["schema"])) fail("needs a JSON Schema as its schema.");
}

/** The answer that the call carries, else the approver's. */
async function answerTo(request: AskRequest, digest: string, call: Call, host: ApprovalHost): Promise<Answer> {
  const { approver } = host;
  const questions = (host.questions ??= createPendingQuestions());
  const tool = call.tool.name;
  const { caller } = call;
  const approval = [call.approval ?? []].flat().find((given) => given.digest === digest);
  const question = JSON.stringify([caller.tenant, caller.principal, caller.agent, digest]);
  if (approval !== undefined && isAnswer(approval.answer) && questions.answer(question)) return approval.answer;
  if (approver === undefined) {
    questions.ask(question);
    const next = `Call again with the same arguments and approval { digest: "${digest}", answer }.`;
    throw new ApprovalNeeded(`Tool "${tool}" needs a person's answer: ${request.message} ${next}`, {
      tool,
      digest,
      reason: request.message,
    });
  }
  const ask = (): Promise<Answer> =>
    approver.ask({
      ...request,
      digest,
      tool,
      input: privateCopy(call.shownInput ?? call.input),
      ...labelsOf(call),
      ...(call.parents.length > 0 && { parents: call.parents, parentCallIds: callIdsAbove(call) }),
      callId: call.callId,
      caller,
      signal: call.signal,
    });
  const answer = await (call.waitForPerson?.(ask) ?? ask());
  if (isAnswer(answer)) return answer;
  throw new ToolError("ANSWER_UNAVAILABLE", `The approver gave no answer to: ${request.message}`);
}

/** ', with this reason: "Not on a Friday"': as a sentence that goes on after it. */
function denialReason(reason: unknown): string {
  const text = typeof reason === "string" ? reason.trim().slice(0, maxReason) : "";
  return text === "" ? "" : `, with this reason: ${JSON.stringify(text)}`;
}

const maxReason = 500;

/** Calls that a tool made know the call of that tool. */
interface InnerCall {
  readonly callId: string;
  readonly options?: { readonly parent?: InnerCall; readonly labels?: ApprovalRequest["labels"] | undefined };
}

function labelsOf({ options }: InnerCall): Pick<ApprovalRequest, "labels"> {
  return options?.labels === undefined ? {} : { labels: options.labels };
}

/** The calls that led to this one, nearest first. */
function callIdsAbove(call: InnerCall): string[] {
  const parent = call.options?.parent;
  return parent === undefined ? [] : [parent.callId, ...callIdsAbove(parent)];
}

function isAnswer(answer: unknown): answer is Answer {
  return isObject(answer) && (answer["action"] === "accept" || answer["action"] === "decline" || answer["action"] === "cancel");
}

/** { scope: "session" } → "session"; anything else approves only this call. */
/** Without a session the answer is for this call, which is already the one it was asked for. */
function scopeOf(value: unknown, { session }: Caller): ApprovalScope {
  const scope = isObject(value) ? value["scope"] : undefined;
  return scope === "always" || (scope === "session" && session !== undefined) ? scope : "once";
}
