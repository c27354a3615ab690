import { isForModel } from "../../tool/models.ts";
import type { PolicyGate } from "./gate.ts";

/** `metadata.models`: offered only to models that match one of the patterns. An unknown model matches none. */
export const modelGate: PolicyGate = (tool, { caller }) => {
  const patterns = tool.metadata?.models;
  if (isForModel(patterns, caller)) return undefined;
  const model = caller.model === undefined ? "the model is unknown" : `${caller.model} is not one of them`;
  return { rule: "model", reason: `it is offered only to ${patterns!.join(", ")}, and ${model}` };
};
