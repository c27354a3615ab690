import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import type { CallParameters } from "../call/handler.ts";
import type { ReadOperation } from "../operation.ts";
import type { OpenApiCallOptions } from "../options.ts";
import { isJson } from "../read/media-types.ts";

/** Adds what a call may ask for beside the operation's own parameters, where the caller of the reader wants it. */
export function addCallParameters(
  { plan, inputSchema }: ReadOperation,
  { maxPages, resultFields = false }: OpenApiCallOptions,
): { readonly inputSchema: JsonObject; readonly parameters: CallParameters } {
  const isJsonAnswer = plan.accept.length === 0 || plan.accept.some(isJson);
  const hasPages = maxPages !== undefined && plan.method === "GET" && isJsonAnswer;
  const hasFields = resultFields && isJsonAnswer;
  if (!hasPages && !hasFields) return { inputSchema, parameters: {} };
  const properties: JsonObject = { ...(isObject(inputSchema["properties"]) ? inputSchema["properties"] : {}) };
  const free = (name: string): string => (Object.hasOwn(properties, name) ? free(`${name}_`) : name);
  const parameters = { ...(hasPages && { pages: free("max_pages") }), ...(hasFields && { fields: free("result_fields") }) };
  if (parameters.pages !== undefined)
    properties[parameters.pages] = {
      type: "integer",
      minimum: 1,
      maximum: maxPages,
      description: "How many pages of the answer are read and joined. One if absent.",
    };
  if (parameters.fields !== undefined)
    properties[parameters.fields] = {
      type: "array",
      items: { type: "string" },
      maxItems: 50,
      description: 'Only these parts of the answer: names of fields such as "items.name", or JSONPaths that begin with "$".',
    };
  return { inputSchema: { ...inputSchema, properties }, parameters };
}
