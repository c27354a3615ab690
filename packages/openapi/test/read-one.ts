import type { ToolDefinition } from "@toolrack/core";
import { type ReadOpenApiOptions, readOpenApi } from "../src/index.ts";

type Schema = Record<string, unknown>;

/** A document with one operation that takes a schema as its body and answers with it. */
export function documentWith(schema: unknown, components: Schema = {}, openapi = "3.0.3"): Schema {
  const content = { "application/json": { schema } };
  return {
    openapi,
    info: { title: "One", version: "1.0.0" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/x": { post: { requestBody: { content }, responses: { 200: { description: "", content } } } } },
    components: { schemas: components },
  };
}

export interface ReadOne {
  readonly tool: ToolDefinition;
  /** The schema of the body, with `$defs` beside it. */
  readonly input: Schema;
  readonly output: Schema;
  readonly defs: Schema;
  readonly warnings: readonly string[];
}

/** A schema as it is read into the input and the output of a tool. */
export function readOne(schema: unknown, components: Schema = {}, openapi = "3.0.3", options: ReadOpenApiOptions = {}): ReadOne {
  const { tools, refused, warnings } = readOpenApi(documentWith(schema, components, openapi), options);
  if (tools.length !== 1) throw new Error(JSON.stringify(refused));
  const tool = tools[0]!;
  const input = (tool.inputSchema["properties"] as Schema)["body"] as Schema;
  return { tool, input, output: (tool.outputSchema ?? {}) as Schema, defs: (tool.inputSchema["$defs"] ?? {}) as Schema, warnings };
}

/** Why the operation with this schema is refused. */
export function refusalOf(schema: unknown, components: Schema = {}, openapi = "3.0.3"): string | undefined {
  return readOpenApi(documentWith(schema, components, openapi)).refused[0]?.reason;
}
