import { createHash } from "node:crypto";
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

/** The description of the operation, where that of the tool is only a part of it; undefined where the tool says all. */
export function wholeDescriptionOf(tool: ToolDefinition): string | undefined {
  const { description } = describeOpenApiTool(tool);
  return tool.description.startsWith(description) ? undefined : description;
}

/** One text for tools that are defined alike and send the same requests: equal prints, and nothing has changed for those who use the tool. */
export function openApiPrint(tool: ToolDefinition): string {
  const { plan, description } = rememberedOf(tool);
  const fields = plan.body === undefined ? [] : [...plan.body.fields];
  return canonicalJson([{ ...tool, handler: undefined }, { ...plan, fields }, description]);
}

/** Where the requests of a tool go, and what they carry, to be pinned and to be read by a person. It holds no value that is fixed. */
export interface OpenApiRequestForm {
  readonly method: string;
  /** "https://api.example.com/v1/pets/{id}" */
  readonly url: string;
  /** The ways to sign in: which secrets are sent, and where; an empty one sends none. */
  readonly credentials: readonly (readonly {
    readonly secret: string;
    readonly in: "header" | "query" | "cookie";
    readonly name: string;
  }[])[];
  /** The hash of everything else that decides what is sent. */
  readonly digest: string;
}

/** The same for tools that send the same requests, whatever they say about themselves. Throws for a tool that does not come from `readOpenApi`. */
export function openApiRequestForm(tool: ToolDefinition): OpenApiRequestForm {
  const { plan, client } = rememberedOf(tool);
  const { method, path, query, parameters, security } = plan;
  const server = client.baseUrl ?? plan.server ?? "";
  const written = (parts: OperationPlan["path"]): string =>
    parts.map((part) => (typeof part === "string" ? part : `{${parameters[part]?.name ?? ""}}`)).join("");
  const fields = plan.body === undefined ? [] : [...plan.body.fields];
  return {
    method: method.toUpperCase(),
    url: `${server.replace(/\/$/, "")}${written(path)}${query.length > 0 ? `?${written(query)}` : ""}`,
    credentials: security.map((way) => way.map(({ secret, in: place, name }) => ({ secret, in: place, name }))),
    digest: createHash("sha256")
      .update(canonicalJson([{ ...plan, server }, fields]))
      .digest("base64url"),
  };
}

/** The request that a tool would send for an input. Throws a ToolError for what cannot be sent safely. */
export function buildRequest(tool: ToolDefinition, input: unknown, options: BuildRequestOptions = {}): OpenApiRequest {
  const { plan, client } = rememberedOf(tool);
  return buildFromPlan(plan, input, {
    ...options,
    ...(options.baseUrl === undefined && client.baseUrl !== undefined && { baseUrl: client.baseUrl }),
  });
}
