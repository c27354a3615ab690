import { type CallContext, defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import {
  backends,
  type CallableTool,
  type Constraint,
  type ConstraintMode,
  type GrammarLoss,
  type ToolCallGrammarOptions,
} from "@toolrack/core/grammar";
import { grammarInThread, type InThreadOptions } from "@toolrack/core/node";
import { dialects, type ModelFamily } from "@toolrack/core/prompt";
import { generate, vocabulary } from "./logit-generate.ts";
import type { LogitModel } from "./logit-model.ts";

const actions = ["generate_structured", "generate_tool_call", "test_config", "list_presets", "generate", "vocabulary"] as const;
const ofModels: ReadonlySet<string> = new Set(["generate", "vocabulary"]);
const backendNames = Object.keys(backends) as readonly (keyof typeof backends)[];
const families = Object.keys(dialects) as readonly ModelFamily[];

/** `generate` and `vocabulary` are there where a model is. */
export function createLogit(model?: LogitModel): ToolDefinition {
  return defineTool({
    name: "logit",
    title: "Hold a model to a grammar",
    description:
      "Makes the grammar or schema that holds a local model to a shape. generate_structured: to a JSON Schema. generate_tool_call: to calls of given tools, for a backend. test_config: whether a backend can do that, and what is lost. list_presets: the known backends and model families." +
      (model === undefined ? "" : " generate: a value of a schema, by a model. vocabulary: the token ids of texts."),
    inputSchema: {
      type: "object",
      properties: {
        action: {
          type: "string",
          enum: actions.filter((name) => model !== undefined || !ofModels.has(name)),
          description: "What to do.",
        },
        schema: { type: "object", description: "For generate_structured and generate: the JSON Schema." },
        ...(model !== undefined && {
          prompt: { type: "string", minLength: 1, maxLength: 100_000, description: "For generate: what the value is to be." },
          max_tokens: { type: "integer", minimum: 1, maximum: 100_000, description: "For generate: at most this many tokens." },
          texts: {
            type: "array",
            items: { type: "string", minLength: 1, maxLength: 200 },
            minItems: 1,
            maxItems: 50,
            description: "For vocabulary: words or names.",
          },
        }),
        notation: {
          type: "string",
          enum: ["gbnf", "lark"],
          default: "gbnf",
          description: "For generate_structured: the notation of the grammar.",
        },
        tools: {
          type: "array",
          minItems: 1,
          maxItems: 100,
          description:
            "For generate_tool_call and test_config: the tools that may be called. Their schemas may have 100,000 characters together.",
          items: {
            type: "object",
            properties: {
              name: { type: "string", minLength: 1, maxLength: 128, description: "The name of the tool." },
              input_schema: { type: "object", description: "The JSON Schema of its arguments." },
            },
            required: ["name", "input_schema"],
            additionalProperties: false,
          },
        },
        backend: { type: "string", enum: backendNames, default: "llama.cpp", description: "What runs the model." },
        mode: {
          type: "string",
          enum: ["grammar", "schema", "hybrid", "unconstrained"],
          default: "hybrid",
          description: "By what the model is held; hybrid takes the best that the backend has.",
        },
        family: { type: "string", enum: families, description: "The family of the model, if it writes calls in its own way." },
        parallel: { type: "boolean", default: false, description: "Whether several calls at once are allowed." },
        text: { type: "boolean", default: false, description: "Whether text may stand instead of a call, or before it." },
      },
      required: ["action"],
      additionalProperties: false,
      allOf: [
        { if: { properties: { action: { const: "generate_structured" } } }, then: { required: ["schema"] } },
        ...(model === undefined
          ? []
          : [
              { if: { properties: { action: { const: "generate" } } }, then: { required: ["prompt", "schema"] } },
              { if: { properties: { action: { const: "vocabulary" } } }, then: { required: ["texts"] } },
            ]),
        { if: { properties: { action: { enum: ["generate_tool_call", "test_config"] } } }, then: { required: ["tools"] } },
      ],
    },
    outputSchema: {
      type: "object",
      properties: {
        kind: { type: "string", description: "gbnf, lark, structural-tag, json-schema or none" },
        grammar: { type: "string", description: "The grammar, where the kind is one." },
        structural_tag: { type: "object", description: "XGrammar's description of the answer." },
        schema: { type: "object", description: "The JSON Schema of all calls." },
        fallback: { type: "string", description: "Why it is less than was hoped for." },
        losses: { type: "array", items: { type: "object" }, description: "What the grammar cannot say; the call is checked for it later." },
        backends: { type: "array", items: { type: "object" } },
        families: { type: "array", items: { type: "object" } },
        ...(model !== undefined && {
          value: { description: "For generate, the value." },
          model: { type: "string" },
          attempts: { type: "integer" },
          vocabulary: {
            type: "array",
            items: {
              type: "object",
              properties: { text: { type: "string" }, tokens: { type: "array", items: { type: "integer" } } },
              required: ["text", "tokens"],
            },
          },
        }),
      },
    },
    metadata: {
      category: "utility",
      optionality: "optional",
      usageHint: "When a local model shall answer in a given shape or call tools, and its backend takes grammars.",
      examples: [
        {
          description: "A grammar for an answer of yes or no",
          input: { action: "generate_structured", schema: { type: "string", enum: ["yes", "no"] } },
          usage: "result.grammar",
        },
        {
          description: "A grammar for calls of one tool",
          input: {
            action: "generate_tool_call",
            tools: [{ name: "search", input_schema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] } }],
          },
          usage: "result.grammar",
        },
        {
          description: "What Ollama can be given",
          input: { action: "test_config", backend: "ollama", tools: [{ name: "now", input_schema: { type: "object", properties: {} } }] },
          usage: "result.kind",
        },
        { description: "What is known", input: { action: "list_presets" }, usage: "result.backends" },
      ],
      annotations: { readOnly: true, idempotent: model === undefined, openWorld: model !== undefined },
      ...(model !== undefined && { requiresCapabilities: ["network"], ...(model.secrets && { secrets: [...model.secrets] }) }),
      limits: { timeoutMs: model === undefined ? 15_000 : 130_000, maxResultBytes: 1_048_576, concurrency: 4 },
      groups: ["utility"],
    },
    async handler(input, context) {
      const { action, schema = {}, notation, tools: given = [], backend, mode, family, parallel, text } = input as unknown as LogitInput;
      const [plain, ...schemas] = copySchemas([schema, ...given.map(({ input_schema }) => input_schema)]);
      const tools = given.map(({ name }, index): CallableTool => ({ name, inputSchema: schemas[index] }));
      const options = { parallel, text, maxEffort, ...(family !== undefined && { form: dialects[family].form }) };
      const within = { signal: context.signal, maxRunMs };
      switch (action) {
        case "generate_structured":
          return notation === "lark"
            ? { kind: "lark", grammar: await grammarInThread("toLark", [plain, { maxEffort }], within) }
            : { kind: "gbnf", ...(await grammarInThread("toGbnfWithReport", [plain, { maxEffort }], within)) };
        case "generate_tool_call":
          return constraintFor(tools, mode, backend, options, within);
        case "test_config": {
          const { grammar: _, structural_tag: __, schema: ___, ...facts } = await constraintFor(tools, mode, backend, options, within);
          return facts;
        }
        case "generate":
        case "vocabulary":
          return byModel(model!, input as unknown as LogitInput, plain as object, context);
        case "list_presets":
          return {
            backends: backendNames.map((name) => backends[name]),
            families: families.map((name) => ({ family: name, form: dialects[name].form })),
          };
      }
    },
  });
}

/** The actions whose fields are declared only where a model is. */
function byModel(model: LogitModel, { action, prompt, max_tokens: maxTokens, texts }: LogitInput, schema: object, context: CallContext) {
  return action === "generate" ? generate(model, { prompt: prompt!, schema, maxTokens }, context) : vocabulary(model, texts!, context);
}

interface LogitInput {
  readonly action: (typeof actions)[number];
  readonly schema?: object;
  readonly notation?: "gbnf" | "lark";
  readonly tools?: readonly { readonly name: string; readonly input_schema: object }[];
  readonly backend: keyof typeof backends;
  readonly mode: ConstraintMode;
  readonly family?: ModelFamily;
  readonly parallel: boolean;
  readonly text: boolean;
  readonly prompt?: string;
  readonly max_tokens?: number;
  readonly texts?: readonly string[];
}

/** Of all schemas together, in characters. */
const maxSchemaLength = 100_000;
/** Of the patterns, formats and ranges in them: some tens of milliseconds. */
const maxEffort = 20_000;
/** Then the thread is ended that works on it. */
const maxRunMs = 5_000;

/** As plain data, which can be sent to a thread. */
function copySchemas(schemas: readonly unknown[]): readonly unknown[] {
  const text = JSON.stringify(schemas);
  const { length } = text;
  if (length > maxSchemaLength)
    throw new ToolInputError(
      `The schemas have ${length} characters together, and ${maxSchemaLength} are the most. Ask for fewer tools at once, or leave out descriptions.`,
    );
  return JSON.parse(text) as readonly unknown[];
}

interface Shown {
  readonly kind: Constraint["kind"];
  readonly grammar?: string;
  readonly structural_tag?: object;
  readonly schema?: object;
  readonly fallback?: string;
  readonly losses?: readonly GrammarLoss[];
}

async function constraintFor(
  tools: readonly CallableTool[],
  mode: ConstraintMode,
  backend: keyof typeof backends,
  options: ToolCallGrammarOptions,
  within: InThreadOptions,
): Promise<Shown> {
  const names = new Set<string>();
  const twice = tools.find(({ name }) => names.size === names.add(name).size);
  if (twice !== undefined) throw new ToolInputError(`"${twice.name}" is listed twice. List each tool once.`);
  const { constraint, fallback } = await grammarInThread("resolveConstraint", [tools, mode, backends[backend], options], within);
  const { kind } = constraint;
  return {
    kind,
    ...("grammar" in constraint && { grammar: constraint.grammar }),
    ...("structuralTag" in constraint && { structural_tag: constraint.structuralTag }),
    ...("schema" in constraint && { schema: constraint.schema }),
    ...("losses" in constraint && { losses: constraint.losses }),
    ...(fallback !== undefined && { fallback }),
  };
}
