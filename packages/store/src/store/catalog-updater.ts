import { addHash, catalogId, catalogTags, entryHash, isListed, readHash, showHash } from "../catalog/entry.ts";
import type { Writes } from "../engine/engine.ts";
import type { Breadcrumb, Content } from "../record/breadcrumb.ts";
import { catalogSchema, configSchema, definitionSchema, identityPrefix } from "../record/identity.ts";
import { checksumOf } from "../record/json.ts";
import { termsOf } from "../record/terms.ts";
import { toIso } from "./clock.ts";

/**
 * Updates the hash and the count of the catalog with what a transaction writes, from the difference alone. Its record contains no tools:
 * those are read from the definitions on request.
 */
export interface CatalogUpdater {
  /** What a record was and what it became; undefined where it does not exist. */
  note(before: Breadcrumb | undefined, after: Breadcrumb | undefined): Promise<void>;
  finish(): Promise<void>;
}

export function createCatalogUpdater(tx: Writes, now: number): CatalogUpdater {
  const differences = new Map<string, { sum: bigint; count: number; by: Breadcrumb }>();

  function add(record: Breadcrumb, hash: bigint, count: number, by: Breadcrumb): void {
    const known = differences.get(record.owner) ?? { sum: 0n, count: 0, by };
    differences.set(record.owner, { sum: addHash(known.sum, hash), count: known.count + count, by });
  }

  async function configIdOf(owner: string, tool: string): Promise<string | undefined> {
    const [head] = await tx.withIdentity(owner, identityPrefix(configSchema, tool));
    return head?.record.id;
  }

  async function noteDefinition(before: Breadcrumb | undefined, after: Breadcrumb | undefined): Promise<void> {
    const configIds = new Map<string, string | undefined>();
    for (const [record, sign] of [[before, -1] as const, [after, 1] as const]) {
      if (record === undefined || !isListed(record)) continue;
      const name = String(record.context["name"]);
      if (!configIds.has(name)) configIds.set(name, await configIdOf(record.owner, name));
      const hash = entryHash(record, configIds.get(name));
      add(record, sign < 0 ? -hash : hash, sign, (after ?? before)!);
    }
  }

  /** Adding or removing a configuration changes the catalog entry of its tool. */
  async function noteConfig(before: Breadcrumb | undefined, after: Breadcrumb | undefined): Promise<void> {
    const toolOf = (record: Breadcrumb | undefined): string | undefined => record && String(record.context["tool"]);
    for (const tool of new Set([toolOf(before), toolOf(after)])) {
      const idBefore = toolOf(before) === tool ? before?.id : undefined;
      const idAfter = toolOf(after) === tool ? after?.id : undefined;
      if (tool === undefined || idBefore === idAfter) continue;
      for (const { record } of await tx.withIdentity((after ?? before)!.owner, identityPrefix(definitionSchema, tool))) {
        if (isListed(record)) add(record, entryHash(record, idAfter) - entryHash(record, idBefore), 0, (after ?? before)!);
      }
    }
  }

  return {
    async note(before, after) {
      const schema = (after ?? before)?.schema_name;
      if (schema === definitionSchema || before?.schema_name === definitionSchema) await noteDefinition(before, after);
      if (schema === configSchema || before?.schema_name === configSchema) await noteConfig(before, after);
    },
    async finish() {
      for (const [owner, { sum, count, by }] of differences) {
        if (sum === 0n && count === 0) continue;
        const before = (await tx.head(owner, catalogId))?.record;
        const tools = Number(before?.context["totalTools"] ?? 0) + count;
        const content: Content = {
          schema_name: catalogSchema,
          title: "Tool Catalog",
          tags: catalogTags,
          context: { totalTools: tools, hash: showHash(addHash(readHash(before?.context["hash"]), sum)) },
          visibility: "team",
          sensitivity: "low",
        };
        const { created_at, created_by } = before ?? { created_at: toIso(now), created_by: by.updated_by };
        const record: Breadcrumb = {
          owner,
          id: catalogId,
          ...content,
          version: (before?.version ?? 0) + 1,
          checksum: checksumOf(content),
          created_at,
          created_by,
          updated_at: toIso(now),
          updated_by: by.updated_by,
          updated_as: "curator",
        };
        const type = before === undefined ? "created" : "updated";
        const terms = termsOf(catalogId, { ...content, context: {} });
        const tagsBefore = before?.tags ?? [];
        await tx.save({ type, record, identity: undefined, tagsBefore, terms, expiresAt: undefined, readsLeft: undefined });
      }
      differences.clear();
    },
  };
}
