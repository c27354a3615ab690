import type { Thinking } from "../../model.ts";

/** As OpenAI names how much a model thinks, and those who took its API over. */
export function toEffort(thinking: Thinking): string {
  return thinking === "off" ? "none" : thinking;
}
