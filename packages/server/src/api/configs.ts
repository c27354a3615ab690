import type { ToolDefinition } from "@toolrack/core";
import { jsonEquals } from "@toolrack/core/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { type Breadcrumb, changedSettings, createConfigs, type Configs, type JsonObject } from "@toolrack/store";
import { defineRoute, type RouteRequest, type RoutesOf, type SchemaOf } from "../http/route.ts";
import { Problem } from "../http/reply/problem.ts";
import type { Rack } from "../rack/rack.ts";
import { listOf, nothing, objectOf, ok } from "./_answers.ts";
import { checkToolSettings } from "./shared/tool-settings.ts";
import { etagOf, mustBeWritten, notFound, readIfMatch } from "./shared/records.ts";
import { noTool } from "./shared/tools.ts";

/** The saved settings of a tool, and their schema. Values that begin with "secret:" name a secret and stay names. */
export interface ToolConfig {
  readonly tool: string;
  /** The schema of the values; absent if the tool has no settings. */
  readonly schema?: JsonSchema;
  readonly values: JsonObject;
  /** Required settings that are not saved and have no default. */
  readonly missing: readonly string[];
  /** Absent while nothing is saved. */
  readonly version?: number;
  readonly updated_at?: string;
  readonly updated_by?: string;
}

export interface ToolConfigList {
  readonly configs: readonly ToolConfig[];
}

export interface ConfigAnswers {
  "GET /configs": ToolConfigList;
  "GET /configs/{tool}": ToolConfig;
  "PUT /configs/{tool}": ToolConfig;
  "DELETE /configs/{tool}": undefined;
}

const configSchema: SchemaOf<ToolConfig> = objectOf<ToolConfig>(
  {
    tool: { type: "string" },
    schema: {
      type: "object",
      additionalProperties: true,
      description: "The schema of the values; absent if the tool has no settings.",
    },
    values: { type: "object", additionalProperties: true },
    missing: { type: "array", items: { type: "string" }, description: "Required settings without a saved value or a default." },
    version: { type: "integer", description: "Absent while nothing is saved." },
    updated_at: { type: "string" },
    updated_by: { type: "string" },
  },
  ["schema", "version", "updated_at", "updated_by"],
);

const byTool = { type: "object", properties: { tool: { type: "string" } }, required: ["tool"], additionalProperties: false } as const;
const curators = ["curator", "admin"] as const;

const list = defineRoute({
  method: "GET",
  path: "/configs",
  id: "listConfigs",
  group: "configs",
  summary: "List the tools with settings, their saved values and missing ones.",
  needs: curators,
  answers: ok("In the order of the registry.", objectOf<ToolConfigList>({ configs: listOf(configSchema) })),
  async run({ rack }) {
    const tools = rack.registry.entries().flatMap(({ tool }) => (tool.metadata?.configSchema === undefined ? [] : [tool]));
    return { body: { configs: await Promise.all(tools.map((tool) => toConfig(rack, tool))) } };
  },
});

const get = defineRoute({
  method: "GET",
  path: "/configs/{tool}",
  id: "getConfig",
  group: "configs",
  summary: "Read the settings of a tool.",
  needs: curators,
  params: byTool,
  answers: ok("The saved values and their schema; the version of the record is the ETag.", configSchema),
  run: async ({ rack, params }) => answer(await toConfig(rack, toolAt(rack, params.tool))),
});

const put = defineRoute({
  method: "PUT",
  path: "/configs/{tool}",
  id: "saveConfig",
  group: "configs",
  summary:
    "Save the settings of a tool, for the next calls. Settings that say where a secret is sent, or are of a parameter that the file or an admin hides, need the admin role.",
  needs: curators,
  params: byTool,
  body: { type: "object", additionalProperties: true },
  answers: ok("The saved values; the version of the record is the ETag.", configSchema),
  async run(request) {
    const { rack, params, body } = request;
    const tool = toolAt(rack, params.tool);
    checkToolSettings(tool, body as JsonObject);
    const before = await recordOf(rack, tool.name);
    await demandAdmin(request, tool.name, before, body as JsonObject);
    // Replaces exactly the compared version.
    const version = readIfMatch(request.header("if-match")) ?? (request.identity.roles.has("admin") ? undefined : before?.version);
    await asCaller(request, async (configs) => {
      const { configSchema: schema } = tool.metadata!;
      mustBeWritten(await configs.save(tool.name, body, { configSchema: schema!, ...(version !== undefined && { version }) }));
    });
    return answer(await toConfig(rack, tool));
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/configs/{tool}",
  id: "removeConfig",
  group: "configs",
  summary: "Remove the saved settings of a tool; settings that only an admin changes need the admin role.",
  needs: curators,
  params: byTool,
  answers: nothing,
  async run(request) {
    const { rack, params } = request;
    await demandAdmin(request, params.tool, await recordOf(rack, params.tool), {});
    await asCaller(request, async (configs) => {
      mustBeWritten(await configs.remove(params.tool));
    });
    return {};
  },
});

/** As the caller, so that the history shows who did it. */
async function asCaller({ rack, identity }: RouteRequest, work: (configs: Configs) => Promise<void>): Promise<void> {
  const configs = await createConfigs(rack.store.as(identity.actor));
  try {
    await work(configs);
  } finally {
    await configs.close();
  }
}

function toolNamed({ registry }: Rack, name: string): ToolDefinition | undefined {
  return registry.entries().find((entry) => entry.tool.name === name)?.tool;
}

function toolAt(rack: Rack, name: string): ToolDefinition {
  const tool = toolNamed(rack, name);
  if (tool === undefined) throw noTool(name, rack.registry.list());
  if (tool.metadata?.configSchema === undefined) throw notFound(`setting of the tool "${name}": it takes none`);
  return tool;
}

/**
 * Only an admin may set where a tool sends its secret, because whoever changes it can get the secret, or what a parameter is that the
 * configuration or an admin withholds from callers.
 */
async function demandAdmin(
  { identity, rack }: RouteRequest,
  tool: string,
  before: Breadcrumb | undefined,
  after: JsonObject,
): Promise<void> {
  if (identity.roles.has("admin")) return;
  const saved = (before?.context["config"] ?? {}) as JsonObject;
  const schema = toolNamed(rack, tool)?.metadata?.configSchema;
  refuse(schema === undefined ? [] : changedSettings(schema, "x-toolrack-admin", saved, after), "it says where the tool sends its secret");
  const withheld = await rack.overlays.adminsWithhold(tool);
  const changed = withheld.filter((name) => !jsonEquals(ownValue(saved, name), ownValue(after, name)));
  refuse(changed, "the configuration or an admin hides that parameter, or gives it a value");

  function refuse(names: readonly string[], reason: string): void {
    if (names.length === 0) return;
    const quoted = names.map((name) => `"${name}"`).join(", ");
    throw new Problem(
      403,
      "ROLE_MISSING",
      `"${identity.agent}" may not change ${quoted} of "${tool}": ${reason}, and that needs the role "admin".`,
      { tool },
    );
  }
}

function ownValue(values: JsonObject, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function answer(config: ToolConfig): { readonly body: ToolConfig; readonly headers?: Readonly<Record<string, string>> } {
  return { body: config, ...(config.version !== undefined && { headers: { etag: etagOf({ version: config.version }) } }) };
}

async function toConfig(rack: Rack, tool: ToolDefinition): Promise<ToolConfig> {
  const record = await recordOf(rack, tool.name);
  const schema = tool.metadata?.configSchema;
  return {
    tool: tool.name,
    ...(schema !== undefined && { schema }),
    values: (record?.context["config"] ?? {}) as JsonObject,
    missing: rack.configs.missing(tool),
    ...(record !== undefined && { version: record.version, updated_at: record.updated_at, updated_by: record.updated_by }),
  };
}

async function recordOf({ store }: Rack, tool: string): Promise<Breadcrumb | undefined> {
  const where = [{ path: "context.tool", op: "eq", value: tool } as const];
  const [found] = (await store.search({ schema_name: "tool.config.v1", where, limit: 1 })).records;
  return found === undefined ? undefined : store.get(found.id);
}

export const configRoutes: RoutesOf<ConfigAnswers> = [list, get, put, remove];
