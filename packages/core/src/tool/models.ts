import { compilePattern } from "../util/glob.ts";

/** The model that tools are offered to, and who runs it, as far as they are known. */
export interface ModelName {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
}

/**
 * `metadata.models`: a tool for some models is offered to no other, nor to one that is not known. A pattern is about the model's name, or
 * about the provider's and the model's: "gpt-*", "openai/gpt-*". Capitals do not matter.
 */
export function isForModel(patterns: unknown, name: ModelName): boolean {
  if (!Array.isArray(patterns) || patterns.length === 0) return true;
  const names = namesOf(name);
  return patterns.some((pattern) => typeof pattern === "string" && names.some(compilePattern(pattern.trim().toLowerCase())));
}

/** { provider: "OpenAI", model: "gpt-x" } → ["gpt-x", "openai/gpt-x"] */
function namesOf({ provider, model }: ModelName): readonly string[] {
  if (typeof model !== "string") return [];
  const name = model.trim().toLowerCase();
  return typeof provider !== "string" ? [name] : [name, `${provider.trim().toLowerCase()}/${name}`];
}
