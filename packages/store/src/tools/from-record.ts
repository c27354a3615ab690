import { defineTool, type ToolDefinition, ToolError, type ToolMetadata } from "@toolrack/core";
import type { JsonSchema } from "@toolrack/json-schema";
import { stateOf } from "../catalog/state.ts";
import { missingSettings } from "../config/configs.ts";
import type { Breadcrumb } from "../record/breadcrumb.ts";
import { isObject } from "../record/json.ts";
import type { Handler, ImplementationKind } from "./kinds/kind.ts";

/** Fields of a definition's context that are metadata of the tool. */
const metadataFields = [
  "category",
  "optionality",
  "usageHint",
  "examples",
  "requiresCapabilities",
  "ownerOnly",
  "groups",
  "profiles",
  "models",
  "paths",
  "produces",
  "consumes",
  "configSchema",
  "annotations",
  "deliver",
  "limits",
  "needs",
  "aliases",
] as const satisfies readonly (keyof ToolMetadata)[];

/** Makes a tool of a definition. Throws, with the reason, where the definition or its implementation is wrong. */
export function toolFromRecord(record: Breadcrumb, kinds: ReadonlyMap<string, ImplementationKind>): ToolDefinition {
  const { context, title, tags } = record;
  const implementation = isObject(context["implementation"]) ? context["implementation"] : { kind: "local" };
  const kind = kinds.get(String(implementation["kind"]));
  const name = String(context["name"]);
  if (kind === undefined) {
    throw new ToolError(
      "DEFINITION_INVALID",
      `Tool "${name}": implementations of kind "${String(implementation["kind"])}" cannot run here. Known are ${[...kinds.keys()].join(", ")}.`,
    );
  }
  const secrets = [...new Set([...((context["secrets"] ?? []) as string[]), ...(kind.secrets?.(implementation) ?? [])])];
  const isDeprecated = stateOf(record) === "deprecated";
  const metadata: Record<string, unknown> = { tags, ...(secrets.length > 0 && { secrets }) };
  for (const field of metadataFields) if (context[field] !== undefined) metadata[field] = context[field];
  // What the decision says; a definition of another system says it of itself.
  const said = record.decision === undefined ? context["deprecated"] : record.decision.deprecated;
  if (isDeprecated) metadata["deprecated"] = said ?? { since: record.updated_at.slice(0, 10) };
  return defineTool({
    name,
    description: context["description"] as string,
    inputSchema: context["inputSchema"] as JsonSchema,
    ...(title !== "" && { title }),
    ...(context["version"] !== undefined && { version: context["version"] as string }),
    ...(context["outputSchema"] !== undefined && { outputSchema: context["outputSchema"] as JsonSchema }),
    metadata: metadata as ToolMetadata,
    handler: configured(kind.createHandler(implementation, record), name, context["configSchema"] as JsonSchema | undefined),
  });
}

/** Refuses to run a handler whose configuration is not complete, also if the registry did not check it. */
function configured(handler: Handler, tool: string, schema: JsonSchema | undefined): Handler {
  if (schema === undefined) return handler;
  return (input, context) => {
    const missing = missingSettings(schema, isObject(context.config) ? context.config : undefined);
    if (missing.length === 0) return handler(input, context);
    throw new ToolError(
      "NEEDS_CONFIGURATION",
      `Tool "${tool}" needs configuration: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set. Save the configuration, then call again.`,
    );
  };
}
