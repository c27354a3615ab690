import { isObject } from "@toolrack/json-schema/internal";
import { at, text } from "./parts.ts";

/** The end of a sentence about a stream that stopped before the reply was complete. */
export const cutStream = "the stream ended early. Send the request again.";

/** The end of a sentence about a reply that stopped for a reason; undefined for a reason that is no interruption. */
export function cutBy(field: string, reason: unknown): string | undefined {
  const word = text(reason);
  if (/length|max_?(?:output_)?tokens|context_window/i.test(word))
    return `the reply was cut off (${field} "${short(word)}"). Raise the limit of output tokens, or shorten the conversation.`;
  if (/filter|guardrail|refus|timeout|cancel|abort|insufficient/i.test(word))
    return `the reply was cut off (${field} "${short(word)}"). Ask the model again.`;
  return undefined;
}

/** The error that a vendor sent as the reply or as an event of its stream: a text, or an object with a message. */
export function sentError(reply: unknown): string | undefined {
  const places = (Array.isArray(reply) ? reply : [reply]).flatMap((event) => [
    at(event, "error"),
    at(event, "data", "error"),
    at(event, "choices", 0, "error"),
    at(event, "delta", "error"),
    ...(at(event, "type") === "error" ? [event] : []),
  ]);
  const error = places.find((place) => (typeof place === "string" && place !== "") || isObject(place));
  return error === undefined ? undefined : describeError(error);
}

/** { message: "Overloaded", type: "overloaded_error" } → 'it sent the error "Overloaded" (overloaded_error).' */
export function describeError(error: unknown): string {
  const message = typeof error === "string" ? error : text(at(error, "message"));
  const code = [at(error, "code"), at(error, "type")].find((one) => typeof one === "number" || (typeof one === "string" && one !== ""));
  const said = message === "" ? "an error" : `the error ${JSON.stringify(short(message))}`;
  return `it sent ${said}${code === undefined ? "" : ` (${short(String(code))})`}. Check the request, or send it again.`;
}

/** A text of the vendor for a message of ours: not too long, and without what looks like a key. */
export function short(words: string): string {
  const hidden = words.slice(0, 2_000).replace(/\b(?:sk|pk|rk|gsk|xai|key|Bearer)[-_ ][^\s"',]{4,}|\bAIza[\w-]{8,}/g, "[key]");
  return hidden.length > 300 ? `${hidden.slice(0, 300)}…` : hidden;
}
