import { type ToolDefinition, ToolError } from "@toolrack/core";
import { canonicalJson } from "@toolrack/json-schema";
import type { OpenApiClient } from "../call/client.ts";
import type { OpenApiToolDescription, OperationPlan } from "../operation.ts";
import { buildFromPlan } from "../request/build.ts";
import type { BuildRequestOptions, OpenApiRequest } from "../request/request.ts";

interface Remembered {
  readonly plan: OperationPlan;
  readonly description: OpenApiToolDescription;
  readonly client: OpenApiClient;
}

/** By handler, which a tool keeps when a registry or an overlay changes something else about it. */
const known = new WeakMap<object, Remembered>();

export function remember(tool: ToolDefinition, plan: OperationPlan, description: OpenApiToolDescription, client: OpenApiClient): void {
  const remembered: Remembered = { plan, description, client };
  known.set(tool, remembered);
  known.set(tool.handler, remembered);
}

export function rememberedOf(tool: ToolDefinition): Remembered {
  const found = known.get(tool) ?? (typeof tool?.handler === "function" ? known.get(tool.handler) : undefined);
  if (found !== undefined) return found;
  throw new ToolError(
    "CONFIG_INVALID",
    `${typeof tool?.name === "string" ? `Tool "${tool.name}"` : "The value"} does not come from readOpenApi.`,
  );
}

/** The operation that a tool calls. Throws for a tool that does not come from `readOpenApi`. */
export function describeOpenApiTool(tool: ToolDefinition): OpenApiToolDescription {
  return rememberedOf(tool).description;
}

/** One text for tools that are defined alike and send the same requests: equal prints, and nothing has changed for those who use the tool. */
export function openApiPrint(tool: ToolDefinition): string {
  const { plan, description } = rememberedOf(tool);
  const fields = plan.body === undefined ? [] : [...plan.body.fields];
  return canonicalJson([{ ...tool, handler: undefined }, { ...plan, fields }, description]);
}

/** The request that a tool would send for an input. Throws a ToolError for what cannot be sent safely. */
export function buildRequest(tool: ToolDefinition, input: unknown, options: BuildRequestOptions = {}): OpenApiRequest {
  const { plan, client } = rememberedOf(tool);
  return buildFromPlan(plan, input, {
    ...options,
    ...(options.baseUrl === undefined && client.baseUrl !== undefined && { baseUrl: client.baseUrl }),
  });
}
