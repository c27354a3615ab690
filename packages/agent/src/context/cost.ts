import { estimateTokens } from "@toolrack/core/prompt";
import type { Message } from "../message.ts";

/** About what an image or a sound costs, whatever its size. */
const mediaTokens = 1_500;

const known = new WeakMap<Message, number>();

/** About how many tokens a message costs. Counted once for each message. */
export function costOf(message: Message): number {
  let cost = known.get(message);
  if (cost === undefined) known.set(message, (cost = countTokens(message)));
  return cost;
}

/** No less than it costs, for much less work: no text has more tokens than characters. */
export function boundOf(message: Message): number {
  const text = JSON.stringify(message);
  return text.includes('"data":') ? costOf(message) + text.length : text.length;
}

export function costOfAll(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + costOf(message), 0);
}

function countTokens(message: Message): number {
  let media = 0;
  const text = JSON.stringify(message, (key, value: unknown) => {
    if (key !== "data" || typeof value !== "string") return value;
    media += mediaTokens;
    return "";
  });
  return estimateTokens(text) + media;
}
