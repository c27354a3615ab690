import type { ToolDefinition } from "./tool.ts";

/** What every shape with `execute` may say about itself. */
export interface ShapeFields extends Pick<ToolDefinition, "version" | "outputSchema" | "metadata"> {
  readonly ownerOnly?: boolean;
}

/** The same as fields of a definition. */
export function shapeFields({ version, outputSchema, metadata, ownerOnly }: ShapeFields): Omit<ShapeFields, "ownerOnly"> {
  const facts = ownerOnly === undefined ? metadata : { ...metadata, ownerOnly };
  return {
    ...(version !== undefined && { version }),
    ...(outputSchema !== undefined && { outputSchema }),
    ...(facts !== undefined && { metadata: facts }),
  };
}
