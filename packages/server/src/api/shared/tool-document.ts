import type { ToolDefinition } from "@toolrack/core";
import { freeWireName } from "@toolrack/core/internal";
import { providerFor } from "@toolrack/core/vendors";
import type { JsonSchema } from "@toolrack/json-schema";
import { rewriteSchema } from "@toolrack/json-schema/internal";
import { toComponents } from "./schema-components.ts";

/** The tools of one caller as an OpenAPI document. */
export interface ToolDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, unknown>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface ToolDocumentOptions {
  readonly agent: string;
  /** What the paths are appended to: "https://tools.example.com/api/v1". */
  readonly server: string;
  readonly version: string;
  /** Whether descriptions are given in full. */
  readonly isFull: boolean;
}

/** Each tool as an operation: the request that calls it. Byte-stable for equal tools. */
export function toToolDocument(tools: readonly ToolDefinition[], options: ToolDocumentOptions): ToolDocument {
  const { agent, server, version, isFull } = options;
  const { limits } = providerFor("openai-chat");
  const schemas: Record<string, JsonSchema> = {};
  const taken = new Set<string>();
  const paths: Record<string, Readonly<Record<string, unknown>>> = {};
  for (const tool of tools) {
    const operationId = freeWireName(tool.name, limits, (name) => taken.has(name));
    taken.add(operationId);
    const embed = (part: string, schema: JsonSchema): JsonSchema => {
      const { schema: embedded, components } = toComponents(schema, `${operationId}.${part}`);
      for (const [name, component] of Object.entries(components)) schemas[name] = isFull ? component : shortened(component);
      return isFull ? embedded : shortened(embedded);
    };
    paths[`/tools/${encodeURIComponent(tool.name)}/call`] = { post: toOperation(tool, operationId, embed, isFull) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: `Tools of ${agent}`,
      version,
      description: `The ${tools.length === 1 ? "tool" : `${tools.length} tools`} that the agent "${agent}" may use. Each call is checked, limited and recorded by Toolrack.`,
    },
    servers: [{ url: server }],
    paths,
    components: {
      schemas: { ...schemas, Problem: problem },
      securitySchemes: { key: { type: "http", scheme: "bearer", description: `An API key of the agent "${agent}" (trk_…).` } },
    },
    security: [{ key: [] }],
  };
}

type Embed = (part: string, schema: JsonSchema) => JsonSchema;

function toOperation(tool: ToolDefinition, operationId: string, embed: Embed, isFull: boolean): Readonly<Record<string, unknown>> {
  const { name, title, description, inputSchema, outputSchema, metadata: { annotations, deprecated } = {} } = tool;
  return {
    operationId,
    summary: cut(title ?? name, 300),
    description: isFull ? description : cut(description, 300),
    ...(deprecated !== undefined && { deprecated: true }),
    // ChatGPT asks before each call of an operation that is not marked, unless it is a GET.
    "x-openai-isConsequential": annotations?.readOnly !== true,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: { input: embed("input", inputSchema) },
            required: ["input"],
            additionalProperties: false,
          },
        },
      },
    },
    responses: {
      200: {
        description: "The result of the tool.",
        content: {
          "application/json": {
            schema: {
              type: "object",
              properties: {
                ok: { const: true },
                content: { type: "string", description: "The result as text." },
                data:
                  outputSchema === undefined ? { description: "The structured result, if there is one." } : embed("output", outputSchema),
              },
              required: ["ok", "content"],
            },
          },
        },
      },
      default: {
        description: "Why the call failed, or was refused.",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

/** Descriptions of 700 characters at most. */
function shortened(schema: JsonSchema): JsonSchema {
  return rewriteSchema(schema, (inner) => {
    const { description } = inner;
    return typeof description === "string" && description.length > 700 ? { ...inner, description: cut(description, 700) } : inner;
  });
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length - 1);
  const end = kept.lastIndexOf(" ");
  return `${(end > length / 2 ? kept.slice(0, end) : kept).trimEnd()}…`;
}

const problem: JsonSchema = {
  type: "object",
  properties: {
    status: { type: "integer" },
    code: { type: "string" },
    detail: { type: "string", description: "The thing, the fact and the next step." },
    retryable: { type: "boolean", description: "Whether the same request may succeed later." },
  },
  required: ["status", "code", "detail"],
};
