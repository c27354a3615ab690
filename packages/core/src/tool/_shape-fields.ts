import { ownMetadata } from "./snake-case.ts";
import type { ToolDefinition } from "./tool.ts";

/** What every shape with `execute` may say about itself. */
export interface ShapeFields extends Pick<ToolDefinition, "version" | "outputSchema" | "metadata"> {
  readonly ownerOnly?: boolean;
}

/** The same as fields of a definition. One that is undefined counts as absent. */
export function shapeFields(tool: ShapeFields): object {
  const { version, outputSchema, ownerOnly } = tool;
  const metadata = ownMetadata(tool) as ToolDefinition["metadata"];
  return {
    version,
    outputSchema,
    metadata: ownerOnly === undefined ? metadata : { ...metadata, ownerOnly: ownerOnly || metadata?.ownerOnly === true },
  };
}
