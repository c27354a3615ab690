import { randomUUID } from "node:crypto";
import type { BreadcrumbDraft, Content } from "./breadcrumb.ts";
import { readId } from "./read-draft.ts";
import { upstreamOf } from "./seen.ts";

export const definitionSchema = "tool.definition.v1";
/** What a server says to models beside its tools: instructions, a prompt, a resource. Only the ledger writes these. */
export const textSchema = "source.text.v1";
export const configSchema = "tool.config.v1";
export const catalogSchema = "tool.catalog.v1";

/**
 * What a record is, beside its id: no two live records of an owner say the same. Tags never say it.
 * A definition → "tool.definition.v1|random|1.0.0"; one that a server saw → "tool.definition.v1|random|1.0.0|packs|"; a configuration →
 * "tool.config.v1|openrouter|"; other records have only their id.
 */
export function identityOf(content: Pick<Content, "schema_name" | "context">): string | undefined {
  const { schema_name, context } = content;
  if (schema_name === definitionSchema) {
    const own = `${identityPrefix(definitionSchema, String(context["name"]))}${String(context["version"] ?? "")}`;
    const upstream = upstreamOf({ context });
    return upstream === undefined ? own : `${own}|${upstream.source}|${upstream.identity}|${upstream.name}`;
  }
  if (schema_name === configSchema) return identityPrefix(configSchema, String(context["tool"]));
  return undefined;
}

/** What the identities of all versions of one name begin with. Names hold no bar. */
export function identityPrefix(schema: string, name: string): string {
  return `${schema}|${name}|`;
}

/** The id that an author chose, else the one that follows from the name, else a new one. */
export function idOf(draft: BreadcrumbDraft): string {
  if (draft.id !== undefined) return readId(draft.id);
  if (draft.schema_name === definitionSchema) return readId(`tool-def-${String(draft.context["name"])}`);
  if (draft.schema_name === configSchema) return readId(`tool-config-${String(draft.context["tool"])}`);
  return randomUUID();
}
