import type { SecretRow } from "../engine/secrets.ts";
import { StoreError } from "../errors.ts";
import type { Breadcrumb } from "../record/breadcrumb.ts";
import { auditKeySchema, openAuditKeys } from "../secrets/audit-key.ts";
import type { KeyProvider } from "../secrets/keys.ts";
import { unseal } from "../secrets/seal.ts";
import { about } from "../secrets/secrets.ts";
import type { ContentPage } from "./content.ts";

/** Looks at every page of a content, to find out whether the master key opens its secrets and its audit key. */
export interface KeyCheck {
  look(page: ContentPage): Promise<void>;
  /** Throws where the master key does not open everything that was looked at. */
  requireFit(): void;
  /** Audit keys of a master key that is not at hand: lines under them cannot be verified. */
  readonly unreadable: readonly string[];
}

export function createKeyCheck(keys: KeyProvider): KeyCheck {
  const closed: string[] = [];
  const unreadable: string[] = [];
  let secrets = 0;
  let lostAudit = false;
  return {
    unreadable,
    async look(page) {
      if (page.kind === "secret") {
        for (const row of page.rows) {
          secrets += 1;
          if (!(await opens(row, keys))) closed.push(row.name);
        }
      } else if (page.kind === "head") {
        for (const { record, deleted } of page.rows) {
          if (deleted || record.schema_name !== auditKeySchema) continue;
          const found = await openAuditKeys(record, keys);
          unreadable.push(...found.unreadable);
          lostAudit ||= found.opened.length === 0 && found.unreadable.length > 0;
        }
      }
    },
    requireFit() {
      if (closed.length === 0 && !lostAudit) return;
      const parts = [
        ...(closed.length > 0 ? [`${closed.length} of ${secrets} secrets (${shown(closed)})`] : []),
        ...(lostAudit ? ["the key of the audit"] : []),
      ];
      throw new StoreError(
        "SECRET_UNREADABLE",
        `The master key ${keys.keyId} does not open ${parts.join(" and ")}. Give the master key that the store had, or leave the secrets out.`,
      );
    },
  };
}

/** The same secret under another master key. Its value stays sealed under its own data key, which only the wrapping changes. */
export async function rewrapSecret(row: SecretRow, from: KeyProvider, to: KeyProvider): Promise<SecretRow> {
  if (row.keyId === to.keyId) return row;
  const dataKey = await from.unwrap(row.keyId, row.wrappedKey, about(row));
  if (dataKey === undefined)
    throw new StoreError("SECRET_UNREADABLE", `The secret "${row.name}" does not open with the master key at hand.`);
  return { ...row, keyId: to.keyId, wrappedKey: await to.wrap(dataKey, about(row)) };
}

export function isAuditKey({ schema_name }: Breadcrumb): boolean {
  return schema_name === auditKeySchema;
}

async function opens(row: SecretRow, keys: KeyProvider): Promise<boolean> {
  const dataKey = await keys.unwrap(row.keyId, row.wrappedKey, about(row));
  return dataKey !== undefined && unseal(dataKey, row.sealed, about(row)) !== undefined;
}

function shown(names: readonly string[]): string {
  return names.length <= 5 ? names.join(", ") : `${names.slice(0, 5).join(", ")} …`;
}
