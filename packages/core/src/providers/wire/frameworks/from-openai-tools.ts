import { isObject, nearestNames } from "@toolrack/json-schema/internal";
import { ToolError } from "../../../errors.ts";
import type { CallContext } from "../../../tool/context.ts";
import type { HandlerReturn } from "../../../tool/result.ts";
import { anything, checkFields, type CheckedSubject, type Fields, objectWith } from "../../../util/check-fields.ts";
import { defineTool, type ToolDefinition } from "../../../tool/tool.ts";

/** A tool as a request to OpenAI has it: of Chat Completions, of Responses, or one that OpenAI runs itself, which is refused. */
export type OpenAITool =
  | { readonly type: "function"; readonly function: OpenAIFunction }
  | ({ readonly type: "function" } & OpenAIFunction)
  | { readonly type: string };

export interface OpenAIFunction {
  readonly name: string;
  readonly description?: string | null;
  /** A JSON Schema; without one the function takes no arguments. */
  readonly parameters?: object | null;
  /** Not kept: what a vendor enforces is an option of `exportTools`. */
  readonly strict?: boolean | null;
}

/** The function behind a tool. `context.signal` is aborted when the call is cancelled. */
// Any: the schema says what the input is, and the call checks it.
export type ToolImplementation = (input: any, context: CallContext) => HandlerReturn | Promise<HandlerReturn>;

/**
 * Defines tools from the list that a program sends to OpenAI, and the functions behind it, by the name of their tool.
 * Throws a ToolError for a tool that is no function, a tool without a function, and a function without a tool.
 */
export function fromOpenAITools(
  tools: readonly OpenAITool[],
  implementations: Readonly<Record<string, ToolImplementation>>,
): ToolDefinition[] {
  if (!Array.isArray(tools)) throw refuse("takes the list of tools that you send to OpenAI: fromOpenAITools(tools, { name: function }).");
  if (!isObject(implementations)) throw refuse("takes the functions behind the tools as its second argument: { name: function }.");
  const functions = tools.map((tool: unknown, index) => readFunction(tool, `tools[${index}]`));
  const names = functions.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw refuse(`was given two tools named "${twice}". Leave one of them out.`);
  const spare = Object.keys(implementations).find((name) => !names.includes(name));
  if (spare !== undefined) throw refuse(`was given a function "${spare}", and no tool has this name.${didYouMean(spare, names)}`);
  return functions.map(({ name, description, parameters }) => {
    const implementation = Object.hasOwn(implementations, name) ? implementations[name] : undefined;
    if (typeof implementation !== "function")
      throw refuse(
        `was given no function for the tool "${name}". Add it to the second argument: { ${JSON.stringify(name)}: (input) => … }.`,
      );
    return defineTool({
      name,
      description: description ?? "",
      inputSchema: parameters ?? { type: "object", properties: {} },
      handler: (input: unknown, context) => implementation(input, context),
    });
  });
}

function readFunction(tool: unknown, place: string): OpenAIFunction {
  const type = isObject(tool) ? tool["type"] : undefined;
  if (!isObject(tool) || typeof type !== "string")
    throw refuse(`takes tools of type "function", and ${place} has no type. Define it with defineTool, or add { type: "function" }.`);
  if (type === "custom")
    throw refuse(
      `takes tools with a schema, and ${place} is a custom tool, which takes free text. Define it with defineTool and one text parameter.`,
    );
  if (type !== "function")
    throw refuse(
      `takes tools of type "function", and ${place} is a tool of type ${JSON.stringify(type)}, which OpenAI runs itself. ` +
        "Leave it out here, and add it to the tools of the request as it is.",
    );
  const isChat = "function" in tool;
  const checked: CheckedSubject = { subject: `fromOpenAITools: ${place}`, word: "field", code: "DEFINITION_INVALID" };
  checkFields(tool, isChat ? chatFields : responsesFields, checked);
  const read = isChat ? tool["function"] : tool;
  if (!isObject(read) || typeof read["name"] !== "string") throw refuse(`needs a name for each tool, and ${place} has none.`);
  return read as unknown as OpenAIFunction;
}

const functionFields: Fields = { name: anything, description: anything, parameters: anything, strict: anything };
const chatFields: Fields = { type: anything, function: objectWith(functionFields), cache_control: anything };
const responsesFields: Fields = {
  type: anything,
  ...functionFields,
  defer_loading: anything,
  allowed_callers: anything,
  output_schema: anything,
};

function didYouMean(name: string, names: readonly string[]): string {
  const [near] = nearestNames(name, names, 1);
  return near === undefined ? ` Known are ${names.join(", ") || "no tools"}.` : ` Did you mean "${near}"?`;
}

function refuse(fact: string): ToolError {
  return new ToolError("DEFINITION_INVALID", `fromOpenAITools ${fact}`);
}
