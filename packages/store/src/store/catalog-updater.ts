import { addHash, catalogId, catalogTags, entryHash, isListed, readHash, showHash } from "../catalog/entry.ts";
import type { Writes } from "../engine/engine.ts";
import type { Breadcrumb, Content } from "../record/breadcrumb.ts";
import { catalogSchema, configSchema, definitionSchema, identityOf, identityPrefix } from "../record/identity.ts";
import { checksumOf } from "../record/json.ts";
import { termsOf } from "../record/terms.ts";
import { toIso } from "./clock.ts";

/**
 * Updates the hash and the count of the catalog with what a transaction writes, from the difference alone. Its record contains no tools:
 * those are read from the definitions on request.
 */
export interface CatalogUpdater {
  note(changes: readonly Noted[]): Promise<void>;
  finish(): Promise<void>;
}

/** What a record was and what it became; undefined where it does not exist. */
export interface Noted {
  readonly before: Breadcrumb | undefined;
  readonly after: Breadcrumb | undefined;
}

export function createCatalogUpdater(tx: Writes, now: number): CatalogUpdater {
  const differences = new Map<string, { sum: bigint; count: number; by: Breadcrumb }>();

  function add(record: Breadcrumb, hash: bigint, count: number, by: Breadcrumb): void {
    const known = differences.get(record.owner) ?? { sum: 0n, count: 0, by };
    differences.set(record.owner, { sum: addHash(known.sum, hash), count: known.count + count, by });
  }

  async function noteDefinitions(changes: readonly Noted[]): Promise<void> {
    const listed = changes.flatMap(({ before, after }) =>
      [[before, -1] as const, [after, 1] as const].flatMap(([record, sign]) =>
        record === undefined || !isListed(record) ? [] : [{ record, sign, by: (after ?? before)! }],
      ),
    );
    const configIdOf = await configIdsOf(listed.map(({ record }) => record));
    for (const { record, sign, by } of listed) {
      const hash = entryHash(record, configIdOf(record));
      add(record, sign < 0 ? -hash : hash, sign, by);
    }
  }

  /** The configurations of these tools, by one read for each owner. */
  async function configIdsOf(definitions: readonly Breadcrumb[]): Promise<(definition: Breadcrumb) => string | undefined> {
    const identityOfConfig = ({ context }: Breadcrumb): string => identityPrefix(configSchema, String(context["name"]));
    const ids = new Map<string, string>();
    for (const owner of new Set(definitions.map((definition) => definition.owner))) {
      const identities = new Set(definitions.filter((definition) => definition.owner === owner).map(identityOfConfig));
      for (const { record } of await tx.identified(owner, [...identities])) ids.set(`${owner} ${identityOf(record)!}`, record.id);
    }
    return (definition) => ids.get(`${definition.owner} ${identityOfConfig(definition)}`);
  }

  /** Adding or removing a configuration changes the catalog entry of its tool. */
  async function noteConfig({ before, after }: Noted): Promise<void> {
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
    async note(changes) {
      const isOf = ({ before, after }: Noted, schema: string): boolean => before?.schema_name === schema || after?.schema_name === schema;
      await noteDefinitions(changes.filter((change) => isOf(change, definitionSchema)));
      for (const change of changes) if (isOf(change, configSchema)) await noteConfig(change);
    },
    async finish() {
      for (const [owner, { sum, count, by }] of differences) {
        if (sum === 0n && count === 0) continue;
        const head = await tx.head(owner, catalogId);
        const before = head?.record;
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
        const found = { identity: undefined, position: head?.position, tagsBefore, terms };
        await tx.save([{ type, record, ...found, expiresAt: undefined, readsLeft: undefined }]);
      }
      differences.clear();
    },
  };
}
