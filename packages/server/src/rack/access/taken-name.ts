import type { Registry, ToolDefinition } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import { type Breadcrumb, type RecordSource, StoreError } from "@toolrack/store";
import { isDeepStrictEqual } from "node:util";

type Known = Pick<Registry, "get" | "entries">;
type Described = Pick<Breadcrumb, "context">;

/** Why a stored definition could never be served: a tool of code or of another source has its name, and it describes another one. */
export function takenName(registry: Known, definition: Described): string | undefined {
  const holder = holderOf(registry, definition);
  if (holder === undefined || describes(definition, holder.tool)) return undefined;
  const { tool, source } = holder;
  return `The name "${tool.name}" is taken by a tool of ${source === "code" ? "the server's code" : `the source "${source}"`}, so a stored tool cannot have it. Choose another name, or store a definition with the schemas of that tool.`;
}

/** Whether the definition is a record of a tool that is here, and that goes on running as it is. */
export function describedAmong(registry: Known): (definition: Described) => boolean {
  return (definition) => {
    const holder = holderOf(registry, definition);
    return holder !== undefined && describes(definition, holder.tool);
  };
}

/** Why a stored definition cannot run among the tools that are here. */
export function problemAmong(registry: Known, records: Pick<RecordSource, "problemOf">): RecordSource["problemOf"] {
  return async (definition, options) =>
    describedAmong(registry)(definition) ? undefined : (takenName(registry, definition) ?? records.problemOf(definition, options));
}

/** Throws for a definition whose name is taken by a tool with other schemas. */
export function demandFreeName(registry: Known, draft: { readonly schema_name: string; readonly context: Breadcrumb["context"] }): void {
  const taken = draft.schema_name === "tool.definition.v1" ? takenName(registry, draft) : undefined;
  if (taken !== undefined) throw new StoreError("STATE_INVALID", taken);
}

function holderOf(registry: Known, { context }: Described): { readonly tool: ToolDefinition; readonly source: string } | undefined {
  const tool = typeof context["name"] === "string" ? registry.get(context["name"]) : undefined;
  const source = tool && registry.entries().find((entry) => entry.tool === tool)?.source;
  return source === undefined || source === "records" ? undefined : { tool: tool!, source };
}

/** A definition that says how it runs is another tool, even with the same schemas. */
function describes({ context }: Described, { inputSchema, outputSchema }: ToolDefinition): boolean {
  return (
    context["implementation"] === undefined &&
    isDeepStrictEqual(fieldsOf(context["inputSchema"]), fieldsOf(inputSchema)) &&
    isDeepStrictEqual(fieldsOf(context["outputSchema"]), fieldsOf(outputSchema))
  );
}

/** The fields of a schema with their types and defaults: texts and bounds may differ between a tool and a description of it. */
function fieldsOf(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { type, properties, items } = schema;
  return {
    // A description may say "number" where the tool takes whole ones only.
    type: type === "integer" ? "number" : type,
    default: schema["default"],
    enum: schema["enum"],
    items: fieldsOf(items),
    properties: isObject(properties) ? new Map(Object.entries(properties).map(([name, field]) => [name, fieldsOf(field)])) : undefined,
  };
}
