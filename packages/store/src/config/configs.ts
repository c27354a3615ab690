import { type ConfigPort, type ToolDefinition, ToolError } from "@toolrack/core";
import { type JsonSchema, validateValue } from "@toolrack/json-schema";
import { configTag } from "../catalog/build.ts";
import { type Breadcrumb, contentOf, type JsonObject } from "../record/breadcrumb.ts";
import { configSchema as schemaName, definitionSchema } from "../record/identity.ts";
import { follow } from "../store/follow.ts";
import type { BreadcrumbStore, WriteResult } from "../store/store.ts";
import { refuseLiteralSecrets } from "./marks.ts";

export interface SaveConfigOptions {
  /** What the values must match. @default the `configSchema` of the tool's stored definition */
  readonly configSchema?: JsonSchema;
  /** Replace exactly this version of the record. @default whatever is there */
  readonly version?: number;
}

/** Saved configuration of tools, as records. A change, from here or elsewhere, holds from the next call on. */
export interface Configs extends ConfigPort {
  /** Throws CONFIG_INVALID for values that do not match the tool's configuration schema. What is saved is for curators and the tool alone. */
  save(tool: string, values: JsonObject, options?: SaveConfigOptions): Promise<WriteResult>;
  remove(tool: string): Promise<WriteResult>;
  /** Required settings of a tool that are not saved and have no default. */
  missing(tool: Pick<ToolDefinition, "name" | "metadata">): readonly string[];
  close(): Promise<void>;
}

export async function createConfigs(store: BreadcrumbStore): Promise<Configs> {
  const records = new Map<string, Breadcrumb>();
  const byTool = new Map<string, JsonObject>();
  const follower = await follow(store, {
    selector: { schema_name: schemaName },
    apply(id, record) {
      const before = records.get(id);
      if (before !== undefined) byTool.delete(String(before.context["tool"]));
      if (record === undefined) records.delete(id);
      else {
        records.set(id, record);
        byTool.set(String(record.context["tool"]), record.context["config"] as JsonObject);
      }
    },
  });

  async function recordOf(tool: string): Promise<Breadcrumb | undefined> {
    await follower.catchUp();
    return [...records.values()].find((record) => record.context["tool"] === tool);
  }

  return {
    get(tool) {
      const behind = follower.catchUp();
      return behind === undefined ? byTool.get(tool) : behind.then(() => byTool.get(tool));
    },
    async save(tool, values, options = {}) {
      const schema = options.configSchema ?? (await storedSchema(store, tool));
      if (schema !== undefined) checkConfig(tool, schema, values);
      const known = await recordOf(tool);
      const version = options.version ?? known?.version;
      const kept =
        known === undefined
          ? { schema_name: schemaName, title: `Configuration of ${tool}`, tags: ["tool:config", configTag(tool)] }
          : { ...contentOf(known), id: known.id };
      const context = { tool, config: values };
      const result = await store.put({ ...kept, visibility: "private", context, ...(version !== undefined && { version }) });
      await follower.catchUp();
      return result;
    },
    async remove(tool) {
      const result = await store.remove((await recordOf(tool))?.id ?? `tool-config-${tool}`);
      await follower.catchUp();
      return result;
    },
    missing: ({ name, metadata }) => missingSettings(metadata?.configSchema, byTool.get(name)),
    close: () => follower.close(),
  };
}

/** { required: ["model", "url"], properties: { url: { default: "…" } } } and {} → ["model"] */
export function missingSettings(schema: JsonSchema | undefined, saved: JsonObject | undefined): readonly string[] {
  const required = Array.isArray(schema?.["required"]) ? (schema["required"] as string[]) : [];
  const properties = (schema?.["properties"] ?? {}) as Record<string, JsonObject | undefined>;
  const hasDefault = (name: string): boolean =>
    Object.hasOwn(properties, name) && properties[name] !== undefined && Object.hasOwn(properties[name], "default");
  return required.filter((name) => !(saved !== undefined && Object.hasOwn(saved, name)) && !hasDefault(name));
}

/** Incomplete values are accepted: the tool waits for what is missing. Wrong values are refused. */
function checkConfig(tool: string, schema: JsonSchema, values: JsonObject): void {
  const { required: _, ...partial } = schema;
  const checked = validateValue(partial, values);
  if (checked.ok) refuseLiteralSecrets(tool, schema, values);
  else
    throw new ToolError(
      "CONFIG_INVALID",
      `The configuration of "${tool}" is wrong: ${checked.issues.map((issue) => issue.message).join(" ")}`,
    );
}

async function storedSchema(store: BreadcrumbStore, tool: string): Promise<JsonSchema | undefined> {
  const plain = await store.get(`tool-def-${tool}`);
  if (plain !== undefined) return plain.context["configSchema"] as JsonSchema | undefined;
  const all = await store.searchBreadcrumbs({
    schema_name: definitionSchema,
    where: [{ path: "context.name", op: "eq", value: tool }],
    includeContext: true,
  });
  return all.at(-1)?.context?.["configSchema"] as JsonSchema | undefined;
}
