import { ToolError } from "@toolrack/core";
import { validateValue } from "@toolrack/json-schema";
import { isObject } from "@toolrack/core/internal";
import type { ClientCapabilities, JsonObject } from "../../wire/protocol.ts";
import type { Exchange } from "../exchange.ts";
import type { InputMethod, InputRequest, InputRequests } from "./client.ts";

/** Where the answers to questions come from: with the request, over the open stream, or into a task. */
export interface InputSource {
  answers(requests: InputRequests): Promise<Readonly<JsonObject>>;
}

/** The modern era: answers came along with the request, or the call ends here and is made again with them. */
export function carriedInputs(
  known: Readonly<JsonObject>,
  on: { used(key: string): void; missing(requests: InputRequests): void },
): InputSource {
  return {
    async answers(requests) {
      const isMissing = ([key, request]: [string, InputRequest]): boolean => !Object.hasOwn(known, key) || !fits(request, known[key]);
      const missing = Object.entries(requests).filter(isMissing);
      for (const key of Object.keys(requests)) on.used(key);
      if (missing.length === 0) return known;
      on.missing(Object.fromEntries(missing));
      throw new ToolError("APPROVAL_REQUIRED", "The call waits for an answer of the client.");
    },
  };
}

/** The legacy era: the client is asked while the call waits. */
export function requestedInputs(exchange: Exchange): InputSource {
  return {
    async answers(requests) {
      if (exchange.request === undefined) throw unavailable("the client can only be asked over a stream that it reads");
      const { request } = exchange;
      const answers = await Promise.all(
        Object.entries(requests).map(async ([key, input]) => {
          const answer = await request(input.method, input.params);
          if (!fits(input, answer)) throw unavailable(`the client's answer to ${input.method} does not have the form that was asked for`);
          return [key, answer] as const;
        }),
      );
      return Object.fromEntries(answers);
    },
  };
}

/** Refuses what the client did not say it can do: a server must not rely on more. */
export function requireInputCapabilities(requests: InputRequests, capabilities: ClientCapabilities): void {
  for (const request of Object.values(requests)) {
    if (!canAnswer(request, capabilities)) throw unavailable(`the client does not declare the capability "${capabilityFor(request)}"`);
  }
}

/** Whether the client says that it can answer. Whoever declares elicitation without a mode shows forms, as clients did before modes. */
export function canAnswer(request: Question, capabilities: ClientCapabilities): boolean {
  const declared = capabilities[capabilityOf[request.method]];
  if (!isObject(declared)) return false;
  if (request.method !== "elicitation/create") return true;
  return isForUrl(request) ? isObject(declared["url"]) : isObject(declared["form"]) || declared["url"] === undefined;
}

/** A form is what is asked for where no mode is named. */
export type Question = Pick<InputRequest, "method"> & Partial<Pick<InputRequest, "params">>;

function isForUrl({ params }: Question): boolean {
  return params?.["mode"] === "url";
}

function capabilityFor(request: Question): string {
  return request.method === "elicitation/create" ? `elicitation.${isForUrl(request) ? "url" : "form"}` : capabilityOf[request.method];
}

/** Whether an answer has the form that its question asks for. */
export function fits({ method, params }: InputRequest, answer: unknown): boolean {
  if (!isObject(answer)) return false;
  switch (method) {
    case "elicitation/create":
      if (answer["action"] === "decline" || answer["action"] === "cancel") return true;
      return answer["action"] === "accept" && validateValue(params["requestedSchema"], answer["content"] ?? {}).ok;
    case "sampling/createMessage":
      return typeof answer["role"] === "string" && answer["content"] !== undefined;
    case "roots/list":
      return Array.isArray(answer["roots"]) && answer["roots"].every((root) => isObject(root) && typeof root["uri"] === "string");
  }
}

const capabilityOf: Record<InputMethod, string> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

function unavailable(fact: string): ToolError {
  return new ToolError("ANSWER_UNAVAILABLE", `Nobody can be asked: ${fact}.`);
}
