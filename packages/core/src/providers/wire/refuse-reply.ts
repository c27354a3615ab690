import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../../errors.ts";
import { kindOf } from "../../util/kind-of.ts";
import { sentError } from "../format/failure.ts";
import { at, text } from "../format/parts.ts";
import type { Provider } from "../provider.ts";
import { providerFor, type ProviderTarget } from "../providers.ts";

/** The error for a value that is not a reply of the vendor: what it is or looks like, and what to do. */
export function refuseReply(reply: unknown, provider: Provider): ToolError {
  return new ToolError("REPLY_INVALID", `readCalls was asked for a reply of "${provider.name}", and this ${describe(reply, provider)}`);
}

/** The error for a reply in which the vendor gave no answer. */
export function refuseFailure(failure: string, provider: Provider): ToolError {
  return new ToolError("REPLY_INVALID", `The reply of "${provider.name}" is no answer: ${failure}`);
}

/** One vendor of each wire format, the most particular first. */
const formats: readonly ProviderTarget[] = [
  "openai-responses",
  "gemini",
  "bedrock",
  "anthropic",
  "cohere",
  "ollama",
  "openai-chat",
  "generic",
];

function describe(reply: unknown, provider: Provider): string {
  const mistake = mistakenFor(reply);
  if (mistake !== undefined) return mistake;
  const part = partOfReply(reply);
  if (part !== undefined) return `is ${part}. Pass the whole reply.`;
  const known = [provider, ...formats.map(providerFor)];
  const other = known.find(({ wire }) => wire.isReply?.(reply))?.name;
  if (other !== undefined)
    return `looks like one of "${other}". Use readCalls(reply, "${other}"), or give it the tools that were exported for "${other}".`;
  const streamed = known.find(({ wire }) => wire.isReply?.([reply]))?.name;
  if (streamed !== undefined) return `looks like one event of a stream of "${streamed}". Pass the list of all its events.`;
  const sent = sentError(reply);
  if (sent !== undefined) return `is no answer: ${sent}`;
  return `is ${whatIs(reply)}. Pass the whole reply as the vendor sent it, or the list of all events of a streamed one.`;
}

/** What is sometimes handed over in place of a reply. */
function mistakenFor(reply: unknown): string | undefined {
  if (reply === undefined || reply === null) return `is ${String(reply)}. Pass what the vendor answered.`;
  if (typeof reply === "string") return "is text. Pass the whole reply instead of its text; parse it first if it is still JSON.";
  if (typeof reply !== "object") return undefined;
  if (typeof (reply as { then?: unknown }).then === "function") return "is a promise. Await it.";
  if (isObject(at(reply, "toolCalls", 0)) && typeof at(reply, "toolCalls", 0, "toolName") === "string")
    return "is a result of the AI SDK, which runs the tools itself. Give it toAiSdk(tools), or run each of its toolCalls by registry.invoke(toolName, input).";
  if (isStream(reply) || isStream(at(reply, "stream"))) return "is a stream. Collect its events in a list, and pass the list.";
  if (typeof (reply as { json?: unknown }).json === "function") return "is an HTTP response. Pass its body: await response.json().";
  return undefined;
}

/** A piece that was taken out of a reply. */
function partOfReply(reply: unknown): string | undefined {
  const [first] = Array.isArray(reply) ? reply : [];
  if (isObject(at(first, "functionCall"))) return "the parts of a content";
  if (isObject(at(first, "toolUse"))) return "the content of a message";
  if (isObject(at(first, "function"))) return "the list of calls in a message";
  return /^(?:text|thinking|tool_use)$/.test(text(at(first, "type"))) ? "the content of a message" : undefined;
}

function isStream(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function whatIs(reply: unknown): string {
  if (Array.isArray(reply)) return "a list without events of that vendor";
  const keys = isObject(reply) ? Object.keys(reply).map((key) => JSON.stringify(key.slice(0, 40))) : [];
  if (keys.length === 0) return kindOf(reply);
  return `an object with ${keys.slice(0, 5).join(", ")}${keys.length > 5 ? " and more" : ""}`;
}
