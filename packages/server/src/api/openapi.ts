import { defineRoute, type RoutesOf } from "../http/route.ts";
import { Problem } from "../http/reply/problem.ts";
import { type OpenApiSourceConfig, openApiSourceSchema } from "../config/openapi-source.ts";
import type { OpenApiPlan, OpenApiPreview, PlannedSecret, PlannedTool, PreviewedRequest } from "../rack/sources/openapi/plan.ts";
import type { ToolSuccess } from "@toolrack/core";
import { listOf, objectOf, ok } from "./_answers.ts";
import { answerWith, resultAnswers } from "./_results.ts";

export interface OpenApiAnswers {
  "POST /openapi/plan": OpenApiPlan;
  "POST /openapi/preview": OpenApiPreview;
  "POST /openapi/try": ToolSuccess;
}

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;
const flag = { type: "boolean" } as const;
const count = { type: "integer", minimum: 0 } as const;

/** What all operations take: a document, and what a source says about it. */
const documentFields = {
  openapi: { ...openApiSourceSchema, description: "As under sources.<id>.openapi of the configuration." },
  document: {
    type: "string",
    minLength: 1,
    writeOnly: true,
    description: "The text of the document, JSON or YAML, instead of a url or a file.",
  },
  source: {
    type: "string",
    minLength: 1,
    maxLength: 32,
    description: "The id of the source, which begins the names of its tools. Default: api.",
  },
} as const;

const plan = defineRoute({
  method: "POST",
  path: "/openapi/plan",
  id: "planOpenApi",
  group: "openapi",
  isHeavy: true,
  // The document may be long: nothing of it is stored with the request.
  keepsIdempotency: true,
  summary:
    "Read an OpenAPI document, and tell what its tools would be: names, counts, tokens, credentials, refused operations. Nothing is imported.",
  needs: ["admin"],
  body: {
    type: "object",
    properties: documentFields,
    additionalProperties: false,
  },
  answers: ok(
    "What the document would become.",
    objectOf<OpenApiPlan>({
      title: text,
      version: text,
      format: text,
      servers: { ...texts, description: "Where requests would go." },
      operations: { ...count, description: "Operations of the document, chosen or not." },
      tools: listOf(
        objectOf<PlannedTool>(
          {
            name: text,
            operation: text,
            operationId: text,
            tags: texts,
            description: text,
            readOnly: flag,
            destructive: flag,
            deprecated: flag,
            tokens: count,
          },
          ["operationId"],
        ),
      ),
      tags: listOf(objectOf({ name: text, operations: count })),
      refused: listOf(objectOf({ operation: text, reason: text })),
      warnings: texts,
      tokens: listOf(objectOf({ vendor: text, tokens: count })),
      secrets: listOf(objectOf<PlannedSecret>({ secret: text, tools: count, isSet: flag })),
      searched: { ...flag, description: "Whether models would find the tools by search, instead of having them listed." },
    }),
  ),
  async run({ rack, body, signal }) {
    const { source, config, text: given } = readGiven(body);
    return { body: await rack.sources.plan(source, config, { text: given, signal }) };
  },
});

const preview = defineRoute({
  method: "POST",
  path: "/openapi/preview",
  id: "previewOpenApi",
  group: "openapi",
  isHeavy: true,
  keepsIdempotency: true,
  summary: "Show one operation of an OpenAPI document as a tool, and the request that it would send for an input. Nothing is sent.",
  needs: ["admin"],
  body: {
    type: "object",
    properties: {
      ...documentFields,
      operation: { type: "string", minLength: 3, maxLength: 2_000, description: "GET /pets" },
      input: { description: "An input for the tool, to show the request for it." },
    },
    required: ["operation"],
    additionalProperties: false,
  },
  answers: ok(
    "The tool and the request, without credentials.",
    objectOf<OpenApiPreview>(
      {
        name: text,
        description: text,
        inputSchema: { type: "object", additionalProperties: true },
        request: objectOf<PreviewedRequest>(
          { method: text, url: text, headers: { type: "object", additionalProperties: text }, body: text },
          ["body"],
        ),
      },
      ["request"],
    ),
  ),
  async run({ rack, body, signal }) {
    const { source, config, text: given } = readGiven(body);
    const { operation, input } = body;
    return { body: await rack.sources.preview(source, config, { text: given, signal, operation, input }) };
  },
});

const tryOut = defineRoute({
  method: "POST",
  path: "/openapi/try",
  id: "tryOpenApi",
  group: "openapi",
  isHeavy: true,
  keepsIdempotency: true,
  summary:
    "Call one operation of an OpenAPI document before it is saved: a real request, under the policy for the name of its tool. The call is recorded, and nothing is imported.",
  needs: ["admin"],
  body: {
    type: "object",
    properties: {
      ...documentFields,
      operation: { type: "string", minLength: 3, maxLength: 2_000, description: "GET /pets" },
      input: { type: "object", additionalProperties: true, description: "The input of the tool." },
    },
    required: ["operation", "input"],
    additionalProperties: false,
  },
  answers: resultAnswers,
  async run(request) {
    const { source, config, text: given } = readGiven(request.body);
    const { operation, input } = request.body;
    const { tryOperation } = await import("./_try-operation.ts");
    return answerWith(await tryOperation(request, { source, config, text: given, operation, input }));
  },
});

interface GivenDocument {
  readonly openapi?: unknown;
  readonly document?: string | undefined;
  readonly source?: string | undefined;
}

function readGiven({ openapi, document, source = "api" }: GivenDocument): {
  readonly source: string;
  readonly config: OpenApiSourceConfig;
  readonly text: string | undefined;
} {
  const config = (openapi ?? {}) as OpenApiSourceConfig;
  if (document !== undefined && (config.url ?? config.file ?? config.document) !== undefined)
    throw new Problem(400, "REQUEST_INVALID", "The request has a document, and a url or file of one. Send one of them.");
  return { source, config, text: document };
}

export const openApiRoutes: RoutesOf<OpenApiAnswers> = [plan, preview, tryOut];
