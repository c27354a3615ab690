import { type ToolDefinition, ToolError } from "@toolrack/core";
import { estimateTokens } from "@toolrack/core/prompt";
import { exportTools, type ProviderTarget } from "@toolrack/core/vendors";
import { createSafeFetch, type IsOwnAddress } from "@toolrack/fetch";
import { buildRequest, describeOpenApiTool, loadOpenApi, type OpenApiRequest, type OpenApiTools } from "@toolrack/openapi";
import { validateValue } from "@toolrack/json-schema";
import type { Secrets } from "@toolrack/store";
import type { SourceConfig } from "../../../config/config.ts";
import { findSourceFault } from "../../../config/checks/source-fault.ts";
import type { OpenApiSourceConfig } from "../../../config/openapi-source.ts";
import { listedUpTo } from "./create-openapi.ts";
import type { OpenApiPlan, OpenApiPreview, PlannedSecret, PlannedTool, PreviewedRequest } from "./plan.ts";
import { readDocument } from "./read-document.ts";
import { toReadOptions } from "./read-options.ts";

export interface PlanOptions {
  /** The document; without it, the configuration says where it is. */
  readonly text?: string | undefined;
  readonly signal: AbortSignal;
  readonly folder: string;
  readonly secrets: Pick<Secrets, "list">;
  readonly isOwnAddress?: IsOwnAddress | undefined;
  stored(id: string): Promise<string | undefined>;
  faultOf(id: string, source: SourceConfig): string | undefined;
}

/** Reads a document as a source would, and imports nothing. */
export async function planDocument(id: string, config: OpenApiSourceConfig, options: PlanOptions): Promise<OpenApiPlan> {
  const { tools, refused, warnings, document } = await readTools(id, config, options);
  const described = tools.map((tool) => ({ tool, facts: describeOpenApiTool(tool) }));
  const servers = config.baseUrl === undefined ? described.flatMap(({ facts }) => facts.server ?? []) : [config.baseUrl];
  return {
    ...document,
    servers: [...new Set(servers)],
    tools: described.map(({ tool, facts }): PlannedTool => {
      const { annotations } = tool.metadata ?? {};
      return {
        name: tool.name,
        operation: `${facts.method} ${facts.path}`,
        ...(facts.operationId !== undefined && { operationId: facts.operationId }),
        tags: facts.tags,
        description: tool.description,
        readOnly: annotations?.readOnly === true,
        destructive: annotations?.destructive === true,
        deprecated: facts.deprecated,
        tokens: tokensOf(tool),
      };
    }),
    tags: countTags(described.map(({ facts }) => facts.tags)),
    refused,
    warnings,
    tokens: tokensPerVendor(tools),
    secrets: await secretsOf(tools, options.secrets),
    searched: config.search ?? tools.length > listedUpTo,
  };
}

/** One operation as a tool, and the request for an input. Credentials are not read. */
export async function previewOperation(
  id: string,
  config: OpenApiSourceConfig,
  options: PlanOptions & { readonly operation: string; readonly input?: unknown },
): Promise<OpenApiPreview> {
  const { operation, input } = options;
  const { tools, refused } = await readTools(id, config, options);
  const tool = tools.find((one) => operationOf(one) === operation);
  if (tool === undefined) {
    const reason =
      refused.find((one) => one.operation === operation)?.reason ?? "the document has no such operation, or it is not included.";
    throw new ToolError("CONFIG_INVALID", `${operation.slice(0, 200)} is no tool: ${reason}`);
  }
  const { name, description, inputSchema } = tool;
  if (input === undefined) return { name, description, inputSchema };
  const checked = validateValue(inputSchema, input);
  if (!checked.ok) throw new ToolError("INPUT_INVALID", checked.issues.map(({ path, message }) => `${path}: ${message}`).join(" "));
  return { name, description, inputSchema, request: shown(buildRequest(tool, checked.value)) };
}

function operationOf(tool: ToolDefinition): string {
  const { method, path } = describeOpenApiTool(tool);
  return `${method} ${path}`;
}

async function readTools(id: string, config: OpenApiSourceConfig, options: PlanOptions): Promise<OpenApiTools> {
  const { text: given, signal, folder, stored, isOwnAddress } = options;
  const source: SourceConfig = { openapi: given === undefined ? config : { ...config, document: noDocument } };
  const fault = findSourceFault(id, source) ?? options.faultOf(id, source);
  if (fault !== undefined) throw new ToolError("CONFIG_INVALID", fault);
  const place = `sources.${id}.openapi`;
  const fetch = createSafeFetch({
    allowHosts: config.allowHosts ?? [],
    allowHostsKey: `${place}.allowHosts (--allow-host on the command line)`,
    ...(isOwnAddress && { isOwnAddress }),
  });
  try {
    const reading = {
      folder,
      fetch,
      signal,
      place,
      stored: async (document: string) => (document === noDocument ? given : stored(document)),
    };
    const { text, overlays, documents } = await readDocument(source.openapi!, reading);
    return await loadOpenApi(text, { ...toReadOptions(id, config), overlays, documents, fetch, signal });
  } finally {
    await fetch.close();
  }
}

/** Stands for the text that came with the request. */
const noDocument = `openapi-document-${"0".repeat(64)}`;

function tokensOf({ name, description, inputSchema }: ToolDefinition): number {
  return estimateTokens(JSON.stringify({ name, description, input_schema: inputSchema }));
}

const vendors: readonly ProviderTarget[] = ["anthropic", "openai-chat", "openai-responses", "gemini"];
const sampled = 50;

/** A sample stands for a large document: exporting every tool to every vendor would take longer than reading it. */
function tokensPerVendor(tools: readonly ToolDefinition[]): OpenApiPlan["tokens"] {
  const step = Math.max(1, Math.ceil(tools.length / sampled));
  const sample = tools.filter((_, index) => index % step === 0);
  return vendors.map((vendor) => {
    const tokens = sample.length === 0 ? 0 : estimateTokens(exportTools(sample, vendor).text);
    return { vendor, tokens: Math.round((tokens * tools.length) / Math.max(1, sample.length)) };
  });
}

function countTags(lists: readonly (readonly string[])[]): OpenApiPlan["tags"] {
  const counts = new Map<string, number>();
  for (const tag of lists.flat()) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([name, operations]) => ({ name, operations }))
    .sort((a, b) => b.operations - a.operations || (a.name < b.name ? -1 : 1));
}

async function secretsOf(tools: readonly ToolDefinition[], secrets: Pick<Secrets, "list">): Promise<readonly PlannedSecret[]> {
  const counts = new Map<string, number>();
  for (const secret of tools.flatMap(({ metadata }) => metadata?.secrets ?? [])) counts.set(secret, (counts.get(secret) ?? 0) + 1);
  if (counts.size === 0) return [];
  const known = new Set((await secrets.list()).map(({ name }) => name));
  return [...counts].map(([secret, count]) => ({ secret, tools: count, isSet: known.has(secret) }));
}

function shown({ method, url, headers, body }: OpenApiRequest): PreviewedRequest {
  const text =
    body === undefined || typeof body === "string"
      ? body
      : body instanceof Uint8Array
        ? `(${body.length} bytes)`
        : body.parts
            .map(({ name, value, filename, contentType }) => {
              const about = [
                `part ${JSON.stringify(name)}`,
                ...(filename === undefined ? [] : [filename]),
                ...(contentType === undefined ? [] : [contentType]),
              ];
              return `${about.join(", ")}: ${typeof value === "string" ? value : `(${value.length} bytes)`}`;
            })
            .join("\n");
  return { method, url, headers, ...(text !== undefined && { body: text }) };
}
