import { backends, type ConstraintMode, resolveConstraint } from "@toolrack/core/grammar";
import type { Dialect, DialectTool } from "@toolrack/core/prompt";
import type { ModelRequest } from "../../model.ts";

/** A program that runs local models, and can hold what they write to a grammar or a schema. */
export type PromptBackend = "llama.cpp" | "vllm" | "ollama";

/** What the backend is sent so that the model can write only calls that fit, in the backend's spelling. */
export function constraintFields(
  tools: readonly DialectTool[],
  { choice = "auto" }: ModelRequest,
  { form }: Dialect,
  backend: PromptBackend,
  mode: ConstraintMode = "hybrid",
): Readonly<Record<string, unknown>> {
  const isFree = choice === "auto" || (typeof choice === "object" && "tools" in choice && choice.mode === "auto");
  const { constraint } = resolveConstraint(tools, mode, backends[backend], { form, parallel: true, choice: isFree ? "auto" : "required" });
  switch (constraint.kind) {
    case "gbnf":
      return backend === "vllm" ? { structured_outputs: { grammar: constraint.grammar } } : { grammar: constraint.grammar };
    case "structural-tag":
      return { structured_outputs: { structural_tag: JSON.stringify(constraint.structuralTag) } };
    case "json-schema":
      // A schema leaves no way to answer in words.
      return isFree ? {} : schemaFields(constraint.schema, backend);
    default:
      return {};
  }
}

function schemaFields(schema: object, backend: PromptBackend): Readonly<Record<string, unknown>> {
  if (backend === "ollama") return { format: schema };
  return backend === "vllm" ? { structured_outputs: { json: schema } } : { json_schema: schema };
}
