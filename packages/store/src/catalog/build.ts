import type { Breadcrumb, JsonObject } from "../record/breadcrumb.ts";
import { catalogSchema, definitionSchema } from "../record/identity.ts";
import { addHash, catalogTags, entryHash, isListed, listedTag, showHash } from "./entry.ts";

/** The part of a store, here or behind a network, that a catalog is built from. */
export interface BreadcrumbClient {
  searchBreadcrumbs(query: { schema_name?: string; tag?: string; includeContext?: boolean }): Promise<readonly { readonly id: string }[]>;
  getBreadcrumb(id: string): Promise<ClientRecord | undefined>;
}

/** The fields of a record that a catalog is made from; other systems may leave out the rest. */
export type ClientRecord = Pick<Breadcrumb, "id" | "schema_name" | "tags" | "context"> &
  Partial<Pick<Breadcrumb, "title" | "updated_at" | "updated_as" | "decision" | "visibility">>;

export interface CatalogDraft {
  readonly schema_name: "tool.catalog.v1";
  readonly title: string;
  readonly tags: readonly string[];
  readonly context: CatalogContext & JsonObject;
}

export interface CatalogContext {
  /** In the order of their names. */
  readonly tools: readonly CatalogTool[];
  readonly totalTools: number;
  /** When the newest of the records was written; null for an empty catalog. */
  readonly lastUpdated: string | null;
  /** Equal for equal sets of tools. */
  readonly hash: string;
}

export type CatalogTool = JsonObject & { readonly hasConfig: boolean; readonly configId?: string };

/** Derives the catalog from the definitions and configurations that a client finds. */
export async function buildCatalogFromBreadcrumbs(client: BreadcrumbClient): Promise<CatalogDraft> {
  const found = await client.searchBreadcrumbs({ schema_name: definitionSchema, tag: listedTag });
  const definitions = (await Promise.all(found.map(({ id }) => client.getBreadcrumb(id)))).filter((record) => record !== undefined);
  const listed = definitions.filter(isListed);
  const configs = new Map<string, ClientRecord>();
  for (const name of new Set(listed.map((definition) => String(definition.context["name"])))) {
    const [first] = await client.searchBreadcrumbs({ tag: configTag(name) });
    const config = first === undefined ? undefined : await client.getBreadcrumb(first.id);
    if (config !== undefined) configs.set(name, config);
  }
  return toCatalog(listed, configs);
}

/** The tag by which the configuration of a tool is found. */
export function configTag(tool: string): string {
  return `tool:config:${tool}`;
}

/** The catalog of these definitions, with the configuration of each tool by its name. */
export function toCatalog(definitions: readonly ClientRecord[], configs: ReadonlyMap<string, ClientRecord>): CatalogDraft {
  let sum = 0n;
  let newest: string | null = null;
  const tools = definitions.map((definition): CatalogTool => {
    const config = configs.get(String(definition.context["name"]));
    sum = addHash(sum, entryHash(definition, config?.id));
    for (const record of config === undefined ? [definition] : [definition, config]) {
      if (record.updated_at !== undefined && (newest === null || record.updated_at > newest)) newest = record.updated_at;
    }
    return { ...definition.context, hasConfig: config !== undefined, ...(config !== undefined && { configId: config.id }) };
  });
  tools.sort((a, b) => compare(String(a["name"]), String(b["name"])) || compare(String(a["version"] ?? ""), String(b["version"] ?? "")));
  return {
    schema_name: catalogSchema,
    title: "Tool Catalog",
    tags: catalogTags,
    context: { tools, totalTools: tools.length, lastUpdated: newest, hash: showHash(sum) },
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
