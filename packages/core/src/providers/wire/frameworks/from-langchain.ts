import { isStandardSchema, type JsonSchema } from "@toolrack/json-schema";
import { isObject, standardShape } from "@toolrack/json-schema/internal";
import { ToolError } from "../../../errors.ts";
import type { CallContext } from "../../../tool/context.ts";
import { type ContentBlock, type HandlerResult, type HandlerReturn, textOfBlocks } from "../../../tool/result.ts";
import { defineTool, inField, type ToolDefinition } from "../../../tool/tool.ts";
import { fileBlock, urlBlock } from "./_foreign-blocks.ts";

/** What is used of a tool of LangChain: of `tool()`, of a class, or of a runnable. */
export interface ForeignLangChainTool {
  readonly name: string;
  readonly description?: string | undefined;
  // Any, here and below: each tool has types of its own.
  readonly schema: any;
  invoke(input: any, config?: any): Promise<any>;
}

/**
 * Defines tools from those of LangChain. They are run by a tool call with the call's id and its signal; the content of their message
 * is the result, and the artifact its data. Throws a ToolError for what is no tool of LangChain, and for a schema that JSON Schema cannot express.
 */
export function fromLangChain(tools: readonly ForeignLangChainTool[]): ToolDefinition[];
export function fromLangChain(tools: readonly ForeignLangChainTool[], options?: unknown): ToolDefinition[] {
  if (options !== undefined) throw refuse("takes the list of tools and no options. Leave the second argument out.");
  if (!Array.isArray(tools)) throw refuse("takes a list of tools: fromLangChain([search, calculator]).");
  return tools.map((tool: ForeignLangChainTool, index) => {
    if (!isObject(tool) || typeof tool.name !== "string" || typeof tool.invoke !== "function")
      throw refuse(
        `takes tools with a name and an invoke function, and tools[${index}] has not both. Pass what tool() of LangChain created.`,
      );
    const { name, description = "" } = tool;
    return defineTool({
      name,
      description,
      inputSchema: readSchema(tool.schema, name),
      handler: async (input: unknown, context) =>
        toReturn(
          await tool.invoke({ type: "tool_call", id: context.callId, name, args: input }, { signal: context.signal }),
          name,
          context,
        ),
    });
  });
}

/** LangChain parses the arguments itself, so a schema that transforms them is only shown, and not applied twice. */
function readSchema(schema: unknown, name: string): JsonSchema {
  if (takesText(schema)) return { type: "object", properties: { input: { type: "string" } } };
  if (!isStandardSchema(schema)) return schema as JsonSchema;
  try {
    return standardShape(schema);
  } catch (error) {
    throw inField(error, "schema", name);
  }
}

/** The schema that LangChain gives to a tool that takes one text, in Zod 3, which cannot describe itself. */
function takesText(schema: unknown): boolean {
  const { typeName, schema: inner } = zod3(schema);
  const { typeName: innerName, shape } = zod3(inner);
  if (typeName !== "ZodEffects" || innerName !== "ZodObject" || typeof shape !== "function") return false;
  return Object.keys(shape() as object).join() === "input";
}

function zod3(schema: unknown): { readonly typeName?: unknown; readonly schema?: unknown; readonly shape?: unknown } {
  return isObject(schema) && isObject(schema["_def"]) ? schema["_def"] : {};
}

function toReturn(answer: unknown, name: string, context: CallContext): HandlerReturn {
  if (isObject(answer) && answer["lg_name"] === "Command")
    throw new ToolError(
      "RESULT_INVALID",
      `Tool "${name}" answered with a Command of LangGraph, which only a graph can follow. Let the tool answer with a value.`,
    );
  return isMessage(answer) ? fromMessage(answer, name, context) : answer;
}

interface Message {
  readonly content: string | readonly unknown[];
  readonly status?: unknown;
  readonly artifact?: unknown;
}

function isMessage(answer: unknown): answer is Message {
  return (
    isObject(answer) &&
    typeof answer["tool_call_id"] === "string" &&
    (typeof answer["content"] === "string" || Array.isArray(answer["content"]))
  );
}

function fromMessage({ content, status, artifact }: Message, name: string, context: CallContext): HandlerResult {
  const blocks = typeof content === "string" ? undefined : content.map(toBlock);
  const text = blocks === undefined ? (content as string) : textOfBlocks(blocks);
  if (status === "error") return { ok: false, error: text };
  return { ok: true, content: text, ...(blocks !== undefined && { blocks }), ...dataOf(artifact, name, context) };
}

/** The artifact as plain data. It is not meant for the model: one that is no JSON does not fail the call. */
function dataOf(artifact: unknown, name: string, { log }: CallContext): { readonly data?: unknown } {
  if (artifact === undefined) return {};
  try {
    return { data: JSON.parse(JSON.stringify(artifact)) };
  } catch (error) {
    log.warn(`The artifact of tool "${name}" is not JSON and was left out: ${(error as Error).message}`);
    return {};
  }
}

/** Content blocks of LangChain's versions, and OpenAI's `image_url`. */
function toBlock(block: unknown): ContentBlock {
  if (typeof block === "string") return { type: "text", text: block };
  if (!isObject(block)) return { type: "json", data: block };
  const { type, text, data, url, image_url: image } = block;
  const mimeType = [block["mimeType"], block["mime_type"]].find((one) => typeof one === "string");
  if (type === "text" && typeof text === "string") return { type: "text", text };
  if (typeof data === "string" || data instanceof Uint8Array) return fileBlock(data, mimeType ?? "application/octet-stream");
  if (typeof url === "string") return urlBlock(url, mimeType);
  if (type === "image_url") return urlBlock(isObject(image) ? String(image["url"]) : String(image));
  return { type: "json", data: block };
}

function refuse(fact: string): ToolError {
  return new ToolError("DEFINITION_INVALID", `fromLangChain ${fact}`);
}
