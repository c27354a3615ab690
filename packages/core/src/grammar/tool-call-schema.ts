import { type JsonSchema, normalizeSchema } from "@toolrack/json-schema";
import { isObject, rewriteSchema } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import { nameForm, toolForm } from "./call-form.ts";
import type { CallableTool } from "./tool-call.ts";
import type { ToolCallGrammarOptions } from "./tool-call-options.ts";

/** One JSON Schema of all calls, for backends that take a schema and no grammar. A schema that cannot be read loosens its own tool's arguments. */
export function toolCallSchema(
  tools: readonly CallableTool[],
  options: Pick<ToolCallGrammarOptions, "form" | "parallel"> = {},
): JsonSchema {
  const form = options.form === undefined || options.form === "name" ? nameForm : options.form === "tool" ? toolForm : options.form;
  const keys = form.call.kind === "object" ? form.call : { name: "name", arguments: "arguments" };
  const definitions: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const calls = tools.map((tool, index) => ({
    type: "object",
    properties: { [keys.name]: { const: tool.name }, [keys.arguments]: inputSchema(tool, `tool${index}_`, definitions) },
    required: [keys.name, keys.arguments],
    additionalProperties: false,
  }));
  const call = calls.length === 1 ? calls[0]! : { anyOf: calls };
  const root = options.parallel === true || form.list === "always" ? { type: "array", items: call, minItems: 1 } : call;
  return Object.keys(definitions).length === 0 ? root : { ...root, $defs: { ...definitions } };
}

/** The tool's schema with its definitions moved to the root under names of its own. */
function inputSchema(tool: CallableTool, prefix: string, definitions: Record<string, unknown>): JsonSchema {
  let schema: JsonSchema;
  try {
    schema = normalizeSchema(tool.inputSchema).schema;
  } catch (error) {
    if (ToolError.is(error)) return { type: "object" };
    throw error;
  }
  const { $defs, ...rest } = rewriteSchema(schema, (node) =>
    typeof node["$ref"] === "string" ? { ...node, $ref: node["$ref"].replace("#/$defs/", `#/$defs/${prefix}`) } : node,
  );
  if (isObject($defs)) for (const name of Object.keys($defs)) definitions[`${prefix}${name}`] = $defs[name];
  return rest;
}
