import type { JsonSchema } from "@toolrack/json-schema";
import { ToolError } from "../errors.ts";
import type { GrammarLoss } from "./loss.ts";
import { toolCallLarkWithReport } from "./lark.ts";
import { type StructuralTag, toolCallStructuralTagWithReport } from "./structural-tag.ts";
import { type CallableTool, toolCallGrammarWithReport } from "./tool-call.ts";
import type { ToolCallGrammarOptions } from "./tool-call-options.ts";
import { toolCallSchema } from "./tool-call-schema.ts";

/** How a model's output is constrained: not at all, by a grammar, by a JSON Schema, or by the best that the backend supports. */
export type ConstraintMode = "unconstrained" | "grammar" | "schema" | "hybrid";

/** What a backend can be given, in the order in which it should be tried. */
export interface BackendCapabilities {
  readonly name: string;
  readonly grammars: readonly ("gbnf" | "lark" | "structural-tag")[];
  readonly jsonSchema: boolean;
}

/** What to send with a request. */
export type Constraint =
  | { readonly kind: "none" }
  | { readonly kind: "gbnf" | "lark"; readonly grammar: string; readonly losses: readonly GrammarLoss[] }
  | { readonly kind: "structural-tag"; readonly structuralTag: StructuralTag; readonly losses: readonly GrammarLoss[] }
  | { readonly kind: "json-schema"; readonly schema: JsonSchema };

export interface ResolvedConstraint {
  readonly constraint: Constraint;
  /** Why it is not the best form. */
  readonly fallback?: string;
}

/** Backends whose abilities are known. */
export const backends: Readonly<Record<"llama.cpp" | "vllm" | "sglang" | "ollama" | "openai" | "text", BackendCapabilities>> =
  Object.freeze({
    "llama.cpp": { name: "llama.cpp", grammars: ["gbnf"], jsonSchema: true },
    vllm: { name: "vllm", grammars: ["structural-tag", "gbnf", "lark"], jsonSchema: true },
    sglang: { name: "sglang", grammars: ["structural-tag", "gbnf"], jsonSchema: true },
    ollama: { name: "ollama", grammars: [], jsonSchema: true },
    openai: { name: "openai", grammars: ["lark"], jsonSchema: true },
    text: { name: "text", grammars: [], jsonSchema: false },
  });

/**
 * What to send to a backend for a mode. "grammar" and "schema" throw CONFIG_INVALID where the backend has no such thing; "hybrid" takes the
 * next best and says why. `failed` names what the backend has refused already, so that the same call gives the next thing to try.
 */
export function resolveConstraint(
  tools: readonly CallableTool[],
  mode: ConstraintMode,
  backend: BackendCapabilities,
  { failed: refused, ...options }: ToolCallGrammarOptions & { readonly failed?: readonly Constraint["kind"][] } = {},
): ResolvedConstraint {
  if (mode === "unconstrained" || tools.length === 0) return { constraint: { kind: "none" } };
  const failed = new Set(refused);
  const notation = backend.grammars.find((candidate) => !failed.has(candidate));
  const hasSchema = backend.jsonSchema && !failed.has("json-schema");
  if (mode !== "schema" && notation !== undefined) return { constraint: grammarIn(notation, tools, options) };
  if (mode === "grammar") throw cannot(backend, "a grammar", backend.grammars.length > 0);
  const why = backend.grammars.length > 0 ? `${backend.name} refused the grammar` : `${backend.name} takes no grammar`;
  if (hasSchema) {
    const constraint: Constraint = { kind: "json-schema", schema: toolCallSchema(tools, options) };
    return mode === "schema" ? { constraint } : { constraint, fallback: `${why}; a JSON Schema is used instead.` };
  }
  if (mode === "schema") throw cannot(backend, "a JSON Schema", backend.jsonSchema);
  return {
    constraint: { kind: "none" },
    fallback: `${why} and ${backend.jsonSchema ? "refused the JSON Schema" : "takes no JSON Schema"}; nothing holds the model.`,
  };
}

function grammarIn(
  notation: BackendCapabilities["grammars"][number],
  tools: readonly CallableTool[],
  options: ToolCallGrammarOptions,
): Constraint {
  switch (notation) {
    case "gbnf":
      return { kind: notation, ...toolCallGrammarWithReport(tools, options) };
    case "lark":
      return { kind: notation, ...toolCallLarkWithReport(tools, options) };
    case "structural-tag":
      return { kind: notation, ...toolCallStructuralTagWithReport(tools, options) };
  }
}

function cannot(backend: BackendCapabilities, what: string, wasRefused: boolean): ToolError {
  const fact = wasRefused ? `refused ${what}` : `does not take ${what}`;
  return new ToolError("CONFIG_INVALID", `The backend "${backend.name}" ${fact}. Use the mode "hybrid", or another backend.`);
}
