import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import type { WireCall } from "../provider.ts";
import { cutBy, cutStream, sentError } from "./failure.ts";
import { at, chatCallsIn, createFragments, either, isListWith, readArguments, text } from "./parts.ts";

/** The calls of a whole completion, of its message alone, or of the chunks of a stream. */
export function readChatCalls(reply: unknown): readonly WireCall[] {
  if (Array.isArray(reply)) return readChunks(reply);
  const choice = at(reply, "choices", 0) ?? reply;
  const cut = cutBy("finish_reason", endOf(choice));
  return chatCallsIn(at(choice, "message") ?? choice).map((call, index) => ({
    id: idOf(call) || `call_${index}`,
    name: text(at(call, "function", "name")),
    ...readArguments(at(call, "function", "arguments"), cut),
  }));
}

/** Why a choice ended, in the words of the vendor; Ollama writes it beside the message. */
function endOf(choice: unknown): unknown {
  return either(choice, "finish_reason", "finishReason", "done_reason");
}

/** A reply whose end is an error, with the vendor's message where there is one. */
export function readChatFailure(reply: unknown): string | undefined {
  const sent = sentError(reply);
  if (sent !== undefined) return sent;
  const ends = (Array.isArray(reply) ? reply : [reply]).map((chunk) => text(endOf(choiceOf(chunk))));
  const failed = ends.find((end) => /^error$/i.test(end));
  return failed === undefined ? undefined : `its generation failed (finish_reason "${failed}"). Send the request again.`;
}

function choiceOf(chunk: unknown): unknown {
  return at(chunk, "choices", 0) ?? at(chunk, "data", "choices", 0) ?? chunk;
}

/** Ollama says beside the message whether it is done. */
export function isOfOllama(reply: unknown): boolean {
  if (Array.isArray(reply)) return reply.some(isOfOllama);
  return typeof at(reply, "done") === "boolean" && isObject(at(reply, "message"));
}

/** Cohere ends with a word in capitals, and may have a plan beside its calls. */
export function isOfCohere(reply: unknown): boolean {
  const message = at(reply, "message");
  if (!isObject(message)) return false;
  return /^[A-Z_]+$/.test(text(either(reply, "finish_reason", "finishReason"))) || either(message, "tool_plan", "toolPlan") !== undefined;
}

/** A completion of the format that most vendors share, or chunks of one. */
export function hasChoices(reply: unknown): boolean {
  if (Array.isArray(reply)) return reply.some(hasChoices);
  return Array.isArray(at(reply, "choices")) || Array.isArray(at(reply, "data", "choices"));
}

/** Whether a value is a completion, its message alone, or chunks of a stream. */
export function isChatReply(reply: unknown): boolean {
  const choices = at(reply, "choices");
  if (Array.isArray(choices)) return choices.every((choice) => isObject(at(choice, "message")));
  return isChatMessage(at(reply, "message") ?? reply) || isListWith(reply, isChunk);
}

/** A message of Anthropic says that it is one; its blocks are of other types, and those of Bedrock have none. */
function isChatMessage(message: unknown): boolean {
  if (chatCallsIn(message).length > 0) return true;
  const content = at(message, "content");
  const areParts = Array.isArray(content) && content.every((part) => !["", "tool_use", "tool_result"].includes(text(at(part, "type"))));
  const isContent = areParts || content === undefined || content === null || typeof content === "string";
  return typeof at(message, "role") === "string" && at(message, "type") !== "message" && at(message, "parts") === undefined && isContent;
}

function isChunk(chunk: unknown): boolean {
  if (Array.isArray(at(chunk, "choices")) || Array.isArray(at(chunk, "data", "choices"))) return true;
  return isChatMessage(at(chunk, "message") ?? chunk);
}

/** The SDK of Mistral writes "null" where an id is missing. */
function idOf(call: JsonObject): string {
  return call["id"] === "null" ? "" : text(call["id"]);
}

/**
 * A piece belongs to the call at its index, unless it brings a name and another id: some send every call at index 0. A piece without
 * an index belongs to the call whose id it repeats, or begins a new one.
 */
function readChunks(chunks: readonly unknown[]): readonly WireCall[] {
  const fragments = createFragments();
  const begun = new Map<unknown, string>();
  let count = 0;
  let end: unknown;
  for (const chunk of chunks) {
    const choice = choiceOf(chunk);
    end = endOf(choice) || (at(choice, "done") === true ? "stop" : undefined) || end;
    for (const call of chatCallsIn(at(choice, "delta") ?? at(choice, "message") ?? choice)) {
      const { index } = call;
      const id = idOf(call);
      const name = text(at(call, "function", "name"));
      if (id !== "" && name !== "") begun.set(index, id);
      const key = typeof index === "number" ? `${index} ${begun.get(index) ?? ""}` : id === "" ? `new ${count++}` : id;
      fragments.add(key, { id, name, arguments: at(call, "function", "arguments") });
    }
  }
  return fragments.calls(end === undefined ? cutStream : cutBy("finish_reason", end));
}
