import { isObject } from "@toolrack/core/internal";
import { McpError } from "../../errors.ts";
import type { JsonObject } from "../../wire/protocol.ts";
import { isApprovalKey } from "./approvals.ts";
import { ServedCall } from "../client/served-call.ts";
import type { Exchange } from "../exchange.ts";
import type { RequestStates, StateSubject } from "./request-state.ts";
import type { Results } from "../results.ts";

/** Questions and answers in rounds: a request without an answer is answered with the question, and made again with the answer. */
export interface Rounds {
  /** The call with the answers that the client brought along. Throws an McpError for a state that is not good. */
  begin(exchange: Exchange, name: string, input: unknown): ServedCall | Promise<ServedCall>;
  /** What to answer while answers are missing. */
  ask(call: ServedCall, name: string, input: unknown): string;
}

export function createRounds(states: RequestStates, results: Results): Rounds {
  async function beginWithAnswers(exchange: Exchange, subject: StateSubject, given: JsonObject, sealed: unknown): Promise<ServedCall> {
    if (sealed !== undefined && typeof sealed !== "string") throw new McpError("invalidParams", "requestState must be a text.");
    const state = sealed === undefined ? undefined : await states.open(subject, sealed);
    // A yes to a call counts only as the answer to a question that was really asked.
    const counts = (key: string): boolean => !isApprovalKey(key) || state?.asked.includes(key) === true;
    const answers = { ...state?.answers, ...Object.fromEntries(Object.entries(given).filter(([key]) => counts(key))) };
    return new ServedCall(exchange, answers);
  }

  return {
    begin(exchange, name, input) {
      const { inputResponses = {}, requestState } = exchange.params;
      if (exchange.era === "legacy" || (exchange.params["inputResponses"] === undefined && requestState === undefined)) {
        return new ServedCall(exchange, noAnswers);
      }
      if (!isObject(inputResponses)) throw new McpError("invalidParams", "inputResponses must be an object.");
      return beginWithAnswers(exchange, subjectOf(exchange, name, input), inputResponses, requestState);
    },
    ask(call, name, input) {
      const inputRequests = call.missing!;
      const answers = Object.fromEntries(Object.entries(call.answers).filter(([key]) => call.used.includes(key)));
      const requestState = states.seal(subjectOf(call.exchange, name, input), { asked: Object.keys(inputRequests), answers });
      return results.as("input_required", { inputRequests, requestState });
    },
  };
}

function subjectOf({ method, principal }: Exchange, name: string, input: unknown): StateSubject {
  return { method, name, input, principal };
}

const noAnswers: Readonly<JsonObject> = Object.freeze({});
