import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import { anything, checkFields, type Fields, flag, text } from "../util/check-fields.ts";
import { type AgentTool, fromAgentTool } from "./agent-tool.ts";
import { BaseTool, type ClassTool, fromClassTool } from "./base-tool.ts";
import { isPlain } from "./check-definition.ts";
import { type LegacyTool, wrapLegacyTool } from "./legacy.ts";
import { metadataFields } from "./metadata.ts";
import { defineTool, inputParserOf, isDefinedTool, type ToolDefinition } from "./tool.ts";
import { fromSnakeCase, ownMetadata } from "./snake-case.ts";

/** Every shape of tool that may be registered where these services are. */
// Any: a tool of any services fits wherever tools are listed.
export type AnyTool<Services = any> =
  | ToolDefinition<any, unknown, Services>
  | AgentTool
  | ClassTool<Services>
  | (LegacyTool & { readonly parametersSchema?: never })
  | SnakeCaseTool<Services>;

/** A tool in the spelling of model APIs. */
interface SnakeCaseTool<Services> {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
  // Any: what the schema says is not known to the compiler.
  readonly handler: ToolDefinition<any, unknown, Services>["handler"];
}

/**
 * Reads any accepted shape as a defined tool; one that is defined already is returned as it is. The fields of a shape tell what it is:
 * what has not those of exactly one shape is refused.
 */
export function readTool(shape: AnyTool): ToolDefinition {
  const tool = isDefinedTool(shape) ? shape : fromShape(shape);
  // A Zod schema is kept only if it does more than its JSON Schema.
  inputParserOf(tool);
  return tool;
}

function fromShape(shape: AnyTool): ToolDefinition {
  if (Array.isArray(shape))
    throw refusal('A list of tools cannot be registered as one tool. Register each of them, or addSource(codeSource("mine", tools)).');
  const fields: JsonObject = isObject(shape) ? shape : {};
  const { name } = fields;
  if (shape instanceof BaseTool) checkSchemaName(fields);
  // A definition, or the form of another library, which has no name or another function than `execute`.
  if (typeof fields["execute"] !== "function" || typeof name !== "string" || "inputSchema" in fields || "handler" in fields)
    return defineTool((isLiteral(fields) ? inOurSpelling(fields) : fields) as object as ToolDefinition);
  const code = "DEFINITION_INVALID";
  checkFields(isLiteral(fields) ? inOurMetadata(fields) : fields, executeFields, {
    subject: `Tool "${name}"`,
    word: "field",
    code,
    isOpen: true,
  });
  if ("schema" in fields) throw refusal(`Tool "${name}" has the unknown field "schema". Did you mean "inputSchema"?`);
  const [form, other] = ["parameters", "parametersSchema", "parameters_schema"].filter((field) => field in fields);
  if (other) throw refusal(`Tool "${name}" has both ${form} and ${other}. Remove the one that is not its schema.`);
  if (!form) return wrapLegacyTool(shape as LegacyTool);
  return form === "parameters" ? fromAgentTool(shape as AgentTool) : fromClassTool(shape as ClassTool);
}

/**
 * Only without types can a class have no schema of this name. It would be taken for another shape, whose `execute` is given the parameters
 * where this one expects the session.
 */
function checkSchemaName(fields: JsonObject): void {
  if ("parametersSchema" in fields || "parameters_schema" in fields) return;
  throw refusal(`Tool "${String(fields["name"])}" extends BaseTool, and has no parametersSchema. Give its schema that name.`);
}

/** Plain data, as JSON gives it: an instance of a class keeps its spelling, its accessors and its `this`. */
function isLiteral(fields: JsonObject): boolean {
  return Object.getPrototypeOf(fields) === Object.prototype;
}

function inOurSpelling(fields: JsonObject): JsonObject {
  return fromSnakeCase(inOurMetadata(fields), executeFields);
}

function inOurMetadata(fields: JsonObject): JsonObject {
  return isObject(fields["metadata"]) ? { ...fields, metadata: ownMetadata(fields) } : fields;
}

/** The fields of the shapes with `execute`. Their objects may have a state of their own. */
const executeFields: Fields = {
  name: text,
  description: text,
  parameters: anything,
  parametersSchema: anything,
  parameters_schema: anything,
  inputSchema: anything,
  outputSchema: anything,
  version: anything,
  metadata: { is: "a plain object", test: (value) => isObject(value) && isPlain(value), fields: metadataFields },
  label: text,
  ownerOnly: flag,
  execute: anything,
};

function refusal(message: string): ToolError {
  return new ToolError("DEFINITION_INVALID", message);
}
