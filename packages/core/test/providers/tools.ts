import type { JsonSchema } from "@toolrack/json-schema";
import type { ToolMetadata } from "../../src/tool/metadata.ts";
import type { ToolDefinition } from "../../src/tool/tool.ts";

export function toolNamed(
  name: string,
  inputSchema: JsonSchema = { type: "object", properties: {} },
  metadata?: ToolMetadata,
): ToolDefinition {
  return Object.freeze({
    name,
    description: `Does ${name}.`,
    inputSchema: Object.freeze(inputSchema),
    handler: () => "done",
    ...(metadata && { metadata }),
  });
}
