import type { JsonSchema } from "@toolrack/json-schema";
import { pathOf } from "./http/request/handle.ts";
import type { AnswerShape, Route } from "./http/route.ts";

/** The parts of an OpenAPI 3.1 document that this package writes. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [part: string]: unknown;
}

/** Describes the routes. Schemas are used as they are, since OpenAPI 3.1 uses JSON Schema 2020-12. */
export function toOpenApi(routes: readonly Route[], version: string): OpenApiDocument {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = pathOf(route);
    (paths[path] ??= {})[route.method.toLowerCase()] = toOperation(route);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Toolrack", version, description: "Define, find, govern and call an agent's tools." },
    servers: [{ url: "/" }],
    tags: [...new Set(routes.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: problemSchema },
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "An API key (trk_…) or a JSON Web Token." } },
    },
    security: [{ bearer: [] }, {}],
  };
}

function toOperation(route: Route): Readonly<Record<string, unknown>> {
  const { id, summary, group, needs = "anyone", body } = route;
  const roles = needs === "anyone" || needs === "public" ? undefined : needs;
  const parameters = [...toParameters("path", route.params), ...toParameters("query", route.query), ...headersOf(route)];
  return {
    operationId: id,
    summary,
    tags: [group],
    ...(roles !== undefined && { description: `Needs the role ${roles.join(" or ")}.` }),
    ...(needs === "public" && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: { "application/json": { schema: body } } } }),
    responses: {
      ...Object.fromEntries(Object.entries(route.answers).map(([status, shape]) => [status, toAnswer(shape, route)])),
      default: {
        description: "The error.",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

function toParameters(location: "path" | "query", schema: JsonSchema | undefined): readonly unknown[] {
  const properties = (schema?.["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (schema?.["required"] ?? []) as readonly string[];
  return Object.entries(properties).map(([name, property]) => {
    const isJson = property["type"] === "object" || (property["items"] as JsonSchema | undefined)?.["type"] === "object";
    return {
      name,
      in: location,
      required: location === "path" || required.includes(name),
      ...(typeof property["description"] === "string" && { description: property["description"] }),
      ...(isJson ? { content: { "application/json": { schema: property } } } : { schema: property }),
    };
  });
}

/** Special headers of a route. */
function headersOf({ method, answers, keepsIdempotency, streams }: Route): readonly unknown[] {
  const header = (name: string, description: string): unknown => ({ name, in: "header", description, schema: { type: "string" } });
  const found = [header("traceparent", "W3C Trace Context of the request.")];
  if (method === "GET") return found;
  if (keepsIdempotency !== true || streams === true)
    found.push(header("Idempotency-Key", "A repeated request with the same key gets the first answer, and nothing is done again."));
  const tellsVersion = Object.values(answers).some(({ description }) => description.includes("ETag")) || method === "DELETE";
  if (tellsVersion) found.push(header("If-Match", "Only if the record still has this ETag."));
  return found;
}

function toAnswer({ description, schema, contentType, streamedAs = [] }: AnswerShape, { streams = false }: Route): unknown {
  if (schema === undefined && contentType === undefined && !streams) return { description };
  const content = {
    ...(schema !== undefined && { [contentType ?? "application/json"]: { schema } }),
    ...(schema === undefined && contentType !== undefined && { [contentType]: { schema: { type: "string" } } }),
    ...Object.fromEntries(streamedAs.map((type) => [type, { schema: { type: "string" } }])),
    ...(streams && { "text/event-stream": { schema: { type: "string" } } }),
  };
  return { description, content };
}

const problemSchema: JsonSchema = {
  type: "object",
  description: "Problem details (RFC 9457).",
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "The thing, the fact and the next step." },
    code: { type: "string", description: "One of the codes of the reference page." },
    tool: { type: "string", description: "The tool that the request was about." },
    issues: {
      type: "array",
      description: "The errors of each field.",
      items: {
        type: "object",
        properties: {
          path: { type: "string" },
          keyword: { type: "string" },
          message: { type: "string" },
          expected: { type: "string" },
          received: { type: "string" },
          suggestion: { type: "string" },
        },
        required: ["path", "keyword", "message"],
      },
    },
    callId: { type: "string" },
    retryable: { type: "boolean", description: "Whether the same request may succeed later." },
    retryAfterMs: { type: "number" },
  },
  required: ["type", "title", "status", "detail", "code"],
};
