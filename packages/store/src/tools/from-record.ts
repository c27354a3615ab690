import { type CallContext, defineTool, type JsonSchema, type ToolDefinition, ToolError, type ToolMetadata } from "@toolrack/core";
import { stateOf } from "../catalog/state.ts";
import { missingSettings } from "../config/configs.ts";
import { resolveReferences, secretNameIn } from "../config/references.ts";
import type { Breadcrumb, JsonObject } from "../record/breadcrumb.ts";
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
  "limits",
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
  if (isDeprecated) metadata["deprecated"] = context["deprecated"] ?? { since: record.updated_at.slice(0, 10) };
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

/** Runs a handler with its configuration complete, and with the secrets that the configuration refers to in their places. */
function configured(handler: Handler, tool: string, schema: JsonSchema | undefined): Handler {
  return async (input, context) => {
    const config = isObject(context.config) ? context.config : undefined;
    const missing = missingSettings(schema, config);
    if (missing.length > 0)
      throw new ToolError(
        "NEEDS_CONFIGURATION",
        `Tool "${tool}" needs configuration: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set. Save the configuration, then call again.`,
      );
    if (config === undefined) return handler(input, context);
    const resolved = (await resolveReferences(config, (name) => context.secret(name))) as JsonObject;
    return handler(withConfigured(input, config, resolved), withConfig(context, resolved));
  };
}

/** Only what came from the configuration is resolved: a reference that a caller writes stays the text it is. */
function withConfigured(input: JsonObject, config: JsonObject, resolved: JsonObject): JsonObject {
  const isFromConfig = (name: string): boolean =>
    secretNameIn(input[name]) !== undefined && Object.hasOwn(config, name) && config[name] === input[name];
  if (!Object.keys(input).some(isFromConfig)) return input;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, isFromConfig(name) ? resolved[name] : value]));
}

function withConfig(context: CallContext, config: JsonObject): CallContext {
  return {
    callId: context.callId,
    caller: context.caller,
    get signal() {
      return context.signal;
    },
    services: context.services,
    config,
    secret: (name) => context.secret(name),
    call: (tool, input) => context.call(tool, input),
    ask: (request) => context.ask(request),
    progress: (update) => context.progress(update),
    log: context.log,
  };
}
