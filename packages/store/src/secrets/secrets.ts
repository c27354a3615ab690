import { randomBytes } from "node:crypto";
import type { SecretRequest, SecretsPort } from "@toolrack/core";
import { type Actor, requireRole } from "../access.ts";
import { addToAudit, type AuditNote } from "../audit/audit.ts";
import { createWriteQueue } from "../queue/write-queue.ts";
import type { SecretRow } from "../engine/secrets.ts";
import { StoreError } from "../errors.ts";
import { readName } from "../record/read-draft.ts";
import { insideOf } from "../store/create-store.ts";
import { follow } from "../store/follow.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import type { KeyProvider } from "./keys.ts";
import { closeSecretRequest, openSecretRequest } from "./requests.ts";
import { seal, unseal } from "./seal.ts";

export interface SecretsOptions {
  readonly keys: KeyProvider;
}

/** What may be shown of a secret. */
export interface SecretInfo {
  readonly name: string;
  readonly version: number;
  readonly updated_at: string;
  readonly updated_by: string;
  /** No configured master key opens it. @default false */
  readonly unreadable?: boolean;
}

/** Secrets, encrypted at rest. Their values leave only through `get`, for a tool that declared them, with a line in the audit. */
export interface Secrets extends SecretsPort {
  /** Sets or replaces a value; closes the request for it. */
  set(name: string, value: string, options?: SecretChange): Promise<void>;
  remove(name: string, options?: SecretChange): Promise<boolean>;
  /** Names, and whether they can be read; never values. */
  list(): Promise<readonly SecretInfo[]>;
  /**
   * Rewraps every data key with the current master key; afterwards the previous ones open nothing. Secrets that no configured key opens stay
   * as they are, and are reported. Safe to repeat, and while other servers run.
   */
  rewrap(options?: RewrapOptions): Promise<RewrappedSecrets>;
  /** Values that this process has read, so that logs can redact them. */
  seenValues(): Iterable<string>;
  close(): Promise<void>;
}

export interface SecretChange {
  /** Who makes the change, for the record and the audit. @default the store's actor */
  readonly by?: string | Pick<Actor, "agent" | "principal">;
}

export interface RewrapOptions extends SecretChange {
  /** Removes the secrets that no configured key opens, because their master key is lost. @default false */
  readonly forgetUnreadable?: boolean;
}

export interface RewrappedSecrets {
  readonly rewrapped: number;
  /** Names of secrets that no configured key opens. */
  readonly unreadable: readonly string[];
  /** Those of them that were removed. */
  readonly forgotten: readonly string[];
}

export const secretSchema = "tool.secret.v1";

export async function createSecrets(store: BreadcrumbStore, options: SecretsOptions): Promise<Secrets> {
  const { engine, clock } = insideOf(store);
  const { owner } = store.actor;
  const { keys } = options;
  const names = new Set<string>();
  const seen = new Set<string>();
  const asked = new Set<string>();
  // Calls at the same time share a transaction.
  const readings = createWriteQueue<AuditNote>((notes) => addToAudit(store, notes));
  const follower = await follow(store, {
    selector: { schema_name: secretSchema },
    apply(id, record) {
      const name = id.slice("secret-".length);
      if (record === undefined) names.delete(name);
      else names.add(name);
      asked.delete(name);
    },
  });

  async function open(row: SecretRow): Promise<string> {
    const dataKey = await keys.unwrap(row.keyId, row.wrappedKey, about(row));
    const value = dataKey && unseal(dataKey, row.sealed, about(row));
    if (value === undefined) {
      throw new StoreError(
        "SECRET_UNREADABLE",
        `The secret "${row.name}" was sealed with the master key ${row.keyId}, which is not at hand. Add it to the previous keys, or set the secret again.`,
      );
    }
    return value.toString();
  }

  /** Those that another master key wraps, a hundred at a time. */
  async function* underOtherKeys(): AsyncGenerator<readonly SecretRow[]> {
    for (let after: SecretRow | undefined; ;) {
      const rows = await engine.secretsNotUnder(keys.keyId, 100, after);
      if (rows.length === 0) return;
      after = rows.at(-1);
      yield rows;
    }
  }

  /** Names of the secrets that no configured key opens. One of each key is tried: it may be in another place, which takes its time. */
  async function unreadableNames(): Promise<ReadonlySet<string>> {
    const opens = new Map<string, boolean>();
    const found = new Set<string>();
    for await (const rows of underOtherKeys())
      for (const row of rows) {
        if (row.owner !== owner) continue;
        if (!opens.has(row.keyId)) opens.set(row.keyId, (await keys.unwrap(row.keyId, row.wrappedKey, about(row))) !== undefined);
        if (opens.get(row.keyId) === false) found.add(row.name);
      }
    return found;
  }

  /** Recorded with the actor. */
  function inTransaction<Result>(by: SecretChange["by"], work: (tx: BreadcrumbStore) => Promise<Result>): Promise<Result> {
    const { agent, principal } = typeof by === "string" ? { agent: by } : (by ?? {});
    const who = { ...(agent !== undefined && { agent }), ...(principal !== undefined && { principal }) };
    return store.transaction((tx) => work(by === undefined ? tx : tx.as({ ...tx.actor, ...who })));
  }

  async function remove(name: string, { by }: { readonly by?: SecretChange["by"] | undefined } = {}): Promise<boolean> {
    requireRole(store.actor, "curator", "remove secrets");
    const result = await inTransaction(by, async (tx) => {
      await insideOf(tx).inUnit(({ tx: writes }) => writes.removeSecret(owner, name));
      const removed = await tx.remove(`secret-${name}`);
      if (removed.ok) await addToAudit(tx, [{ kind: "secret-removed", subject: name, body: {} }]);
      return removed;
    });
    names.delete(name);
    return result.ok;
  }

  /** With its line in the audit, and only for secrets that did not change in the meantime. Returns how many. */
  function saveWrapped(wrapped: readonly SecretRow[], by: SecretChange["by"]): Promise<number> {
    return inTransaction(by, async (tx) => {
      const count = await insideOf(tx).inUnit(async ({ tx: writes }) => {
        let saved = 0;
        for (const row of wrapped) {
          const now = await writes.secret(row.owner, row.name);
          if (now?.version !== row.version || now.keyId !== row.keyId) continue;
          await writes.saveSecret({ ...row, keyId: keys.keyId });
          saved += 1;
        }
        return saved;
      });
      if (count > 0) await addToAudit(tx, [{ kind: "secrets-rewrapped", subject: keys.keyId, body: { count } }]);
      return count;
    });
  }

  function remember(value: string): void {
    seen.add(value);
    if (seen.size > 1_000) for (const oldest of [...seen].slice(0, 100)) seen.delete(oldest);
  }

  return {
    has(name) {
      if (names.has(name)) return true;
      // A missing secret was requested: create one request for it.
      if (!asked.has(name)) {
        asked.add(name);
        openSecretRequest(store, name).catch(() => asked.delete(name));
      }
      return false;
    },
    async get({ name, tool, callId, caller, reason = `call of ${tool}` }: SecretRequest) {
      const row = await engine.secret(owner, name);
      if (row === undefined) {
        await openSecretRequest(store, name, tool);
        return undefined;
      }
      const value = await open(row);
      remember(value);
      const body = { tool, caller, reason, version: row.version };
      await readings.add({ kind: "secret-read", subject: name, callId, ok: true, principal: caller.principal, body });
      return value;
    },
    async set(name, value, { by } = {}) {
      requireRole(store.actor, "curator", "set secrets");
      readName(name, "The name of a secret");
      if (typeof value !== "string" || value === "" || value.length > 65_536)
        throw new StoreError("RECORD_INVALID", `The value of the secret "${name}" must be a text of 1 to 65,536 characters.`);
      await inTransaction(by, async (tx) => {
        const { inUnit } = insideOf(tx);
        const before = await tx.get(`secret-${name}`);
        const row = { owner, name, version: (before?.version ?? 0) + 1 };
        const dataKey = randomBytes(32);
        const sealed = seal(dataKey, Buffer.from(value), about(row));
        const wrappedKey = await keys.wrap(dataKey, about(row));
        await inUnit(({ tx: writes }) => writes.saveSecret({ ...row, keyId: keys.keyId, wrappedKey, sealed, updatedAt: clock.now() }));
        await tx.put({
          id: `secret-${name}`,
          schema_name: secretSchema,
          title: `Secret ${name}`,
          tags: ["tool:secret"],
          context: { name },
          sensitivity: "secret",
          ...(before !== undefined && { version: before.version }),
        });
        await closeSecretRequest(tx, name);
        await addToAudit(tx, [{ kind: "secret-set", subject: name, body: { version: row.version } }]);
      });
      names.add(name);
      asked.delete(name);
      remember(value);
    },
    remove,
    async list() {
      requireRole(store.actor, "curator", "list secrets");
      const [found, unreadable] = await Promise.all([store.searchBreadcrumbs({ schema_name: secretSchema }), unreadableNames()]);
      return found.map(({ id, version, updated_at, updated_by }) => {
        const name = id.slice("secret-".length);
        return { name, version, updated_at, updated_by, ...(unreadable.has(name) && { unreadable: true }) };
      });
    },
    async rewrap({ by, forgetUnreadable = false } = {}) {
      requireRole(store.actor, "curator", "change the master key");
      let rewrapped = 0;
      const unreadable: SecretRow[] = [];
      for await (const rows of underOtherKeys()) {
        const wrapped: SecretRow[] = [];
        for (const row of rows) {
          const dataKey = await keys.unwrap(row.keyId, row.wrappedKey, about(row));
          if (dataKey === undefined) unreadable.push(row);
          else wrapped.push({ ...row, wrappedKey: await keys.wrap(dataKey, about(row)) });
        }
        if (wrapped.length > 0) rewrapped += await saveWrapped(wrapped, by);
      }
      const forgotten = forgetUnreadable ? unreadable.filter((row) => row.owner === owner).map(({ name }) => name) : [];
      for (const name of forgotten) await remove(name, { by });
      return { rewrapped, unreadable: unreadable.map(({ name }) => name), forgotten };
    },
    seenValues: () => seen,
    close: () => follower.close(),
  };
}

/** Binds a sealed value to its owner, name and version: a row that is copied to another name does not open. */
export function about({ owner, name, version }: Pick<SecretRow, "owner" | "name" | "version">): string {
  return `${owner}|${name}|${version}`;
}
