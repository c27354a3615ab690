import type { Caller } from "../tool/context.ts";
import type { PolicyGate } from "./gate.ts";
import { compileGlob, isGlob, matchesGlob } from "./match.ts";

/** `metadata.models`: offered only to models that match one of the patterns. An unknown model matches none. */
export const modelGate: PolicyGate = (tool, { caller }) => {
  const patterns: unknown = tool.metadata?.models;
  if (!Array.isArray(patterns) || patterns.length === 0) return undefined;
  const names = modelNames(caller);
  if (patterns.some((pattern) => typeof pattern === "string" && names.some((name) => matchesPattern(pattern.trim().toLowerCase(), name)))) {
    return undefined;
  }
  const model = caller.model === undefined ? "the model is unknown" : `${caller.model} is not one of them`;
  return { rule: "model", reason: `it is offered to ${patterns.join(", ")} only, and ${model}` };
};

/** { provider: "OpenAI", model: "gpt-x" } → ["gpt-x", "openai/gpt-x"] */
function modelNames({ provider, model }: Caller): readonly string[] {
  if (typeof model !== "string") return [];
  const name = model.trim().toLowerCase();
  return typeof provider !== "string" ? [name] : [name, `${provider.trim().toLowerCase()}/${name}`];
}

function matchesPattern(pattern: string, name: string): boolean {
  return isGlob(pattern) ? matchesGlob(compileGlob(pattern), name) : pattern === name;
}
