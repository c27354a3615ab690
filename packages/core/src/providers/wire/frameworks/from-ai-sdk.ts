import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../../../errors.ts";
import type { CallContext } from "../../../tool/context.ts";
import { defineTool, type ToolDefinition } from "../../../tool/tool.ts";
import { anything, checkFields, type Fields } from "../../../util/check-fields.ts";
import { fromAiSdkOutput } from "./_ai-sdk-output.ts";
import { aiSdkMark } from "./_ai-sdk-schema.ts";

/** What is used of a tool of the AI SDK, from version 5 on. */
export interface ForeignAiSdkTool {
  readonly type?: string | undefined;
  readonly title?: string | undefined;
  // Any, here and below: each tool has types of its own.
  readonly description?: string | ((options: any) => string) | undefined;
  readonly inputSchema: any;
  readonly outputSchema?: any;
  readonly contextSchema?: any;
  readonly execute?: ((input: any, options: any) => any) | undefined;
  readonly toModelOutput?: ((options: any) => any) | undefined;
  readonly needsApproval?: unknown;
}

export interface FromAiSdkOptions {
  /** What tools with a `contextSchema` get as their context, by the name of the tool, as in `generateText({ toolsContext })`. */
  readonly toolsContext?: Readonly<Record<string, unknown>>;
}

/**
 * Defines the tools of a `ToolSet` of the AI SDK. `execute` gets the call's id and its signal; `toModelOutput`, if there is one, makes the result.
 * Throws a ToolError for a tool that the AI SDK does not execute itself, and for one that asks for an approval of its own.
 */
export function fromAiSdk(tools: Readonly<Record<string, ForeignAiSdkTool>>, options: FromAiSdkOptions = {}): ToolDefinition[] {
  if (!isObject(tools) || typeof tools["execute"] === "function")
    throw new ToolError(
      "DEFINITION_INVALID",
      "fromAiSdk takes tools by their names, as generateText does: fromAiSdk({ weather: tool({ … }) }).",
    );
  checkFields(options, { toolsContext: { is: "an object", test: isObject } }, { subject: "fromAiSdk", word: "option" });
  return Object.entries(tools).map(([name, tool]) => fromTool(name, tool, options));
}

function fromTool(name: string, tool: ForeignAiSdkTool, { toolsContext = {} }: FromAiSdkOptions): ToolDefinition {
  const refuse = (fact: string): ToolError => new ToolError("DEFINITION_INVALID", `fromAiSdk: tool "${name}" ${fact}`);
  if (!isObject(tool)) throw refuse("is no object. Pass what tool() of the package ai created.");
  checkFields(tool, toolFields, { subject: `fromAiSdk: tool "${name}"`, word: "field", code: "DEFINITION_INVALID", isOpen: true });
  if (tool.type?.startsWith("provider") === true)
    throw refuse("is defined by a model's vendor. Leave it out here, and give it to generateText beside toAiSdk(tools, { call }).");
  if (typeof tool.execute !== "function")
    throw refuse("has no execute function, because it runs somewhere else. Leave it out, or define it with defineTool and a handler.");
  if (tool.needsApproval !== undefined && tool.needsApproval !== false)
    throw refuse(
      "has needsApproval, which only the AI SDK can ask. Require the approval in the registry's policy, and pass { ...tool, needsApproval: undefined }.",
    );
  if (tool.contextSchema !== undefined && !Object.hasOwn(toolsContext, name))
    throw refuse(
      `has a contextSchema, and was given no context. Pass it: fromAiSdk(tools, { toolsContext: { ${JSON.stringify(name)}: … } }).`,
    );
  const toolContext = Object.hasOwn(toolsContext, name) ? toolsContext[name] : undefined;
  const { description = "", outputSchema } = tool;
  return defineTool({
    name,
    description: typeof description === "function" ? description({ context: toolContext }) : description,
    inputSchema: readSchema(tool.inputSchema, "inputSchema", refuse),
    ...(outputSchema !== undefined && { outputSchema: readSchema(outputSchema, "outputSchema", refuse) }),
    ...(tool.title !== undefined && { title: tool.title }),
    async handler(input: unknown, context) {
      const given = {
        toolCallId: context.callId,
        messages: [],
        abortSignal: context.signal,
        context: toolContext,
        experimental_context: toolContext,
      };
      const output = await lastOf(tool.execute!(input, given), context);
      if (tool.toModelOutput === undefined) return output;
      const shown: unknown = await tool.toModelOutput({ toolCallId: context.callId, input, output });
      return fromAiSdkOutput(shown, name, outputSchema === undefined ? undefined : output);
    },
  });
}

/** The fields of a tool of the AI SDK, for misspelt ones. */
const toolFields: Fields = Object.fromEntries(
  (
    "type title description inputSchema outputSchema contextSchema inputExamples execute toModelOutput needsApproval strict providerOptions " +
    "metadata onInputStart onInputDelta onInputAvailable"
  )
    .split(" ")
    .map((name) => [name, anything]),
);

/** A JSON Schema or a Standard Schema of what the AI SDK takes: `jsonSchema()`, `zodSchema()`, a function that makes one of them, Zod and others. */
// Any: defineTool reads it, and refuses what is no schema.
function readSchema(given: unknown, field: string, refuse: (fact: string) => ToolError): any {
  const schema: unknown = typeof given === "function" && !("~standard" in given) ? given() : given;
  if (schema === undefined) throw refuse(`has no ${field}. From version 5 of the AI SDK on, "parameters" is called "inputSchema".`);
  if (!isAiSdkSchema(schema)) return schema;
  const { jsonSchema, validate } = schema;
  if (typeof (jsonSchema as { then?: unknown }).then === "function")
    throw refuse(`has an ${field} that is a promise. Wait for it first: jsonSchema(await schema).`);
  if (validate === undefined) return jsonSchema;
  const shown = (): object => jsonSchema;
  const standard = { version: 1, vendor: "ai", validate: toStandard(validate), jsonSchema: { input: shown, output: shown } };
  return { "~standard": standard };
}

interface AiSdkSchemaForm {
  readonly jsonSchema: object;
  readonly validate?: AiSdkValidate | undefined;
}

type AiSdkValidate = (value: unknown) => AiSdkValidation | PromiseLike<AiSdkValidation>;
type AiSdkValidation = { readonly success: true; readonly value: unknown } | { readonly success: false; readonly error: Error };

function isAiSdkSchema(schema: unknown): schema is AiSdkSchemaForm {
  return isObject(schema) && (schema as { [aiSdkMark]?: unknown })[aiSdkMark] === true && isObject(schema["jsonSchema"]);
}

function toStandard(validate: AiSdkValidate): (value: unknown) => Promise<object> {
  return async (value) => {
    const result = await validate(value);
    return result.success ? { value: result.value } : { issues: issuesOf(result.error) };
  };
}

/** An error of Zod says for each issue where it is, and one of the AI SDK has the issues of another library as its cause; any other is one issue. */
function issuesOf(error: Error): readonly object[] {
  const { issues, cause } = error as { issues?: unknown; cause?: unknown };
  const found = [issues, cause].find((list): list is object[] => Array.isArray(list) && list.length > 0);
  return found ?? [{ message: error.message }];
}

/** The output; of a generator the last one, and those before it as progress. */
async function lastOf(started: unknown, context: CallContext): Promise<unknown> {
  if (!isAsyncIterable(started)) return started;
  let last: unknown;
  for await (const output of started) {
    last = output;
    if (context.signal.aborted) break;
    context.progress({ message: typeof output === "string" ? output : (JSON.stringify(output) ?? "") });
  }
  return last;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
