import { isStandardSchema } from "@toolrack/json-schema";
import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import { kindOf } from "../util/kind-of.ts";
import { isDefinedTool } from "./tool.ts";

/** Throws DEFINITION_INVALID for what is not a list, and says how to get one. */
export function checkIsList(tools: unknown, asked: string): void {
  if (Array.isArray(tools)) return;
  const isRegistry = isObject(tools) && typeof tools["view"] === "function";
  const kind = isRegistry ? "a registry" : kindOf(tools);
  const fix = isRegistry ? "registry.view(caller).tools" : "[tool], or registry.view(caller).tools";
  throw new ToolError("DEFINITION_INVALID", `${asked} needs a list of tools, and got ${kind}. Pass ${fix}.`);
}

/** Throws DEFINITION_INVALID for an item that is no tool, such as one in the format of a vendor or framework. */
export function checkIsTool(item: unknown, index: number, asked: string): void {
  if (isDefinedTool(item)) return;
  const problem = toolProblem(item);
  if (problem !== undefined) throw new ToolError("DEFINITION_INVALID", `${asked}: item ${index} of the list ${problem}`);
}

const define = "Make it with defineTool({ name, description, inputSchema, handler }).";

/** Why a value is no tool, as the end of a sentence; a literal may be one. */
export function toolProblem(item: unknown): string | undefined {
  if (!isObject(item)) return `is ${kindOf(item)}, not a tool. ${define}`;
  const { name, inputSchema, handler } = item;
  if (isStandardSchema(inputSchema))
    return `has an inputSchema of ${inputSchema["~standard"].vendor}, which is not a JSON Schema. ${define}`;
  if (typeof name === "string" && (inputSchema !== undefined || typeof handler === "function")) return undefined;
  const foreign = foreignFormat(item);
  if (foreign !== undefined)
    return `is a tool in the format of ${foreign.of}. Take it over with ${foreign.by} of @toolrack/core/vendors, or write it with defineTool.`;
  if (typeof name !== "string") return `has no name, so it is not a tool. ${define}`;
  return `named ${JSON.stringify(name.slice(0, 64))} has no inputSchema, so it is not a tool. ${define}`;
}

function foreignFormat(item: JsonObject): { readonly of: string; readonly by: string } | undefined {
  if (item["type"] === "function") return { of: "OpenAI", by: "fromOpenAITools" };
  if (typeof item["invoke"] === "function" && "schema" in item) return { of: "LangChain", by: "fromLangChain" };
  if (typeof item["execute"] === "function" && item["name"] === undefined) return { of: "the AI SDK", by: "fromAiSdk" };
  return undefined;
}
