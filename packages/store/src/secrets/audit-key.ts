import { randomBytes } from "node:crypto";
import { requireRole } from "../access.ts";
import { stateBegins, stateChains } from "../audit/anchor.ts";
import { keyedKind } from "../audit/verify.ts";
import { type ChainKey, mainChain } from "../engine/audit.ts";
import { appendEntries } from "../engine/chain.ts";
import { StoreError } from "../errors.ts";
import type { Breadcrumb, JsonObject } from "../record/breadcrumb.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import type { KeyProvider } from "./keys.ts";

export interface KeyedAudit {
  /** Lines that stood in the audit before this call gave it a key; 0 where it had one. */
  readonly unkeyedLines: number;
  /** Audit keys of the store that the master keys at hand do not open: lines under them cannot be verified. */
  readonly unreadable: readonly string[];
  /**
   * The key that lines are written under from now on. Keep it outside of the database, and give it as `expected` next time. Undefined where
   * the audit is locked: it has keys, and none of them opens. Nothing is written to it then, until the right master key is there, or
   * `rewrapAuditKey` was called with the statement that the keys are lost.
   */
  readonly keyId: string | undefined;
  /** Whether the expected key is missing: its record was removed, and every line may have been replaced. */
  readonly isExpectedGone: boolean;
}

export interface KeyAuditOptions {
  /** The `keyId` of the last time. Where the store does not have that key any more, the audit does not verify. */
  readonly expected?: string | undefined;
}

/**
 * Gives the audit of a store a key, so that its hashes are MACs, which can be made only with the master key. The key is random and stored in
 * the store, wrapped by the master key. A new master key opens it by the previous one, until `rewrapAuditKey` wraps it anew: so servers that
 * have only the old one can still start. Call this before anything is written, with the same actor on every server of the store.
 */
export async function keyAudit(store: BreadcrumbStore, keys: KeyProvider, options: KeyAuditOptions = {}): Promise<KeyedAudit> {
  requireRole(store.actor, "curator", "give the audit a key");
  const { auditKeys } = insideOf(store);
  const record = await store.get(id);
  const wrapped = record === undefined ? [] : readWrapped(record);
  const opened = await Promise.all(wrapped.map((one) => open(one, keys)));
  const current = opened.findLast((key) => key !== undefined);
  auditKeys.known.clear();
  for (const key of opened) if (key !== undefined) auditKeys.known.set(key.id, key);
  const { expected } = options;
  // One that does not open vouches for nothing: its name alone could have been left, or put, in the record.
  const isExpectedGone = expected !== undefined && !auditKeys.known.has(expected);
  auditKeys.gone = isExpectedGone ? expected : undefined;
  const unreadable = wrapped.filter(({ lost }, index) => opened[index] === undefined && lost !== true).map(({ id: name }) => name);
  if (current === undefined && wrapped.some(({ lost }) => lost !== true)) {
    auditKeys.isLocked = true;
    return { unkeyedLines: 0, unreadable, keyId: undefined, isExpectedGone };
  }
  if (current === undefined) {
    const added = await addKey(store, keys, record, wrapped);
    return added === undefined ? keyAudit(store, keys, options) : { ...added, unreadable, isExpectedGone };
  }
  auditKeys.current = current;
  return { unkeyedLines: 0, unreadable, keyId: current.id, isExpectedGone };
}

/** How the master keys at hand fit the audit key of a store. */
export interface AuditKeyFit {
  /**
   * "previous": it opens, and a previous master key is needed for that. "unreadable": lines were written under a key that no master key at
   * hand opens, and it was not declared lost. "none": there is no key yet.
   */
  readonly state: "none" | "current" | "previous" | "unreadable";
}

/** Keys that came later than the newest that opens are another server's, under another master key: that one has to be put right. */
export async function checkAuditKey(store: BreadcrumbStore, keys: KeyProvider): Promise<AuditKeyFit> {
  const record = await store.get(id);
  const wrapped = record === undefined ? [] : readWrapped(record);
  if (wrapped.length === 0) return { state: "none" };
  const opened = await Promise.all(wrapped.map((one) => open(one, keys)));
  const newest = opened.findLastIndex((key) => key !== undefined);
  const isMissing = wrapped.some(({ lost }, index) => opened[index] === undefined && lost !== true && index < newest);
  if (newest === -1) return { state: wrapped.every(({ lost }) => lost === true) ? "none" : "unreadable" };
  if (isMissing) return { state: "unreadable" };
  const isOld = wrapped.some(({ keyId }, index) => opened[index] !== undefined && keyId !== keys.keyId);
  return { state: isOld ? "previous" : "current" };
}

export interface RewrappedAuditKey {
  readonly rewrapped: number;
  /** Keys that no master key at hand opens. */
  readonly unreadable: readonly string[];
  /** Those of them that count as lost from now on. */
  readonly forgotten: readonly string[];
  /** The key that lines are written under, if it is new: to be stored outside of the database, see `keyAudit`. */
  readonly newKeyId?: string;
}

/** Wraps the audit key anew with the current master key. `forgetUnreadable` notes that keys which do not open are lost. */
export async function rewrapAuditKey(
  store: BreadcrumbStore,
  keys: KeyProvider,
  options: { readonly forgetUnreadable?: boolean } = {},
): Promise<RewrappedAuditKey> {
  requireRole(store.actor, "curator", "change the master key");
  const record = await store.get(id);
  if (record === undefined) return { rewrapped: 0, unreadable: [], forgotten: [] };
  const wrapped = readWrapped(record);
  const opened = await Promise.all(wrapped.map((one) => open(one, keys)));
  const isOld = wrapped.map(({ keyId }, index) => opened[index] !== undefined && keyId !== keys.keyId);
  const unreadable = wrapped.filter(({ lost }, index) => opened[index] === undefined && lost !== true).map((one) => one.id);
  const forgotten = options.forgetUnreadable === true ? unreadable : [];
  const rewrapped = isOld.filter(Boolean).length;
  if (rewrapped + forgotten.length === 0) return { rewrapped, unreadable, forgotten };
  const next = wrapped.map(async (one, index) =>
    isOld[index] === true ? wrap(opened[index]!, keys) : forgotten.includes(one.id) ? { ...one, lost: true } : one,
  );
  const written = await store.put({ ...draft(await Promise.all(next)), version: record.version });
  // Another server changed the record meanwhile: look again.
  if (!written.ok) return rewrapAuditKey(store, keys, options);
  const isEmpty = opened.every((key) => key === undefined);
  const newKeyId = isEmpty && forgotten.length > 0 ? (await keyAudit(store, keys)).keyId : undefined;
  return { rewrapped, unreadable, forgotten, ...(newKeyId !== undefined && { newKeyId }) };
}

const id = "audit-key";
export const auditKeySchema = "toolrack.audit-key.v1";

/** The keys in a record of this schema: those that open, in their order, and the names of the others. */
export async function openAuditKeys(
  record: Breadcrumb,
  keys: KeyProvider,
): Promise<{ readonly opened: readonly ChainKey[]; readonly unreadable: readonly string[] }> {
  const wrapped = readWrapped(record);
  const all = await Promise.all(wrapped.map((one) => open(one, keys)));
  const unreadable = wrapped.filter(({ lost }, index) => all[index] === undefined && lost !== true).map(({ id: name }) => name);
  return { opened: all.filter((key) => key !== undefined), unreadable };
}

/** The context of such a record, with every key that `from` opens wrapped by `to`; undefined where there is nothing to do. */
export async function rewrapAuditKeys(record: Breadcrumb, from: KeyProvider, to: KeyProvider): Promise<JsonObject | undefined> {
  const wrapped = readWrapped(record);
  if (wrapped.every(({ keyId }) => keyId === to.keyId)) return undefined;
  const again = await Promise.all(
    wrapped.map(async (one) => {
      const key = await open(one, from);
      return key === undefined ? one : wrap(key, to);
    }),
  );
  return { keys: again.map((key) => ({ ...key })) };
}

/** A key as it is stored. */
interface WrappedKey {
  readonly id: string;
  /** The master key that wraps it. */
  readonly keyId: string;
  readonly wrapped: string;
  /** Somebody said that no master key will open it any more. */
  readonly lost?: boolean;
}

/**
 * The record and the first line under the key are written at once, so that no line of another server can come between. Undefined where
 * another server was first.
 */
async function addKey(
  store: BreadcrumbStore,
  keys: KeyProvider,
  before: Breadcrumb | undefined,
  wrapped: readonly WrappedKey[],
): Promise<Pick<KeyedAudit, "unkeyedLines" | "keyId"> | undefined> {
  const { auditKeys, clock } = insideOf(store);
  const made: ChainKey = { id: randomBytes(8).toString("hex"), bytes: randomBytes(32) };
  const added = await wrap(made, keys);
  const unkeyedLines = await store.transaction(async (tx) => {
    const written = await tx.put({ ...draft([...wrapped, added]), ...(before !== undefined && { version: before.version }) });
    if (!written.ok) return undefined;
    return insideOf(tx).inUnit(async ({ tx: writes }) => {
      await writes.lockAudit({ withPages: true });
      const { first, last } = await writes.auditEnds();
      const { owner, agent } = store.actor;
      const body = JSON.stringify({ key: made.id, first, last, ...(await stateChains(writes)), ...(await stateBegins(writes)) });
      await appendEntries(writes, [{ at: clock.now(), owner, kind: keyedKind, agent, subject: mainChain, body }], made);
      return last.number - first.number;
    });
  });
  if (unkeyedLines === undefined) return undefined;
  auditKeys.current = made;
  auditKeys.known.set(made.id, made);
  return { unkeyedLines: wrapped.length === 0 ? unkeyedLines : 0, keyId: made.id };
}

function draft(keys: readonly WrappedKey[]) {
  return { id, schema_name: auditKeySchema, title: "The key of the audit", context: { keys: keys.map((key) => ({ ...key })) } };
}

function readWrapped({ context }: Breadcrumb): readonly WrappedKey[] {
  const { keys } = context;
  if (Array.isArray(keys)) return keys as unknown as readonly WrappedKey[];
  throw new StoreError("RECORD_INVALID", `The record "${id}" holds no keys. Restore it from a back-up.`);
}

async function wrap({ id: name, bytes }: ChainKey, keys: KeyProvider): Promise<WrappedKey> {
  return { id: name, keyId: keys.keyId, wrapped: await keys.wrap(bytes, about(name)) };
}

async function open({ id: name, keyId, wrapped }: WrappedKey, keys: KeyProvider): Promise<ChainKey | undefined> {
  const bytes = await keys.unwrap(keyId, wrapped, about(name));
  return bytes && { id: name, bytes };
}

/** Binds the wrapped key to its name: one that is put in another's place does not open. */
function about(name: string): string {
  return `toolrack audit key ${name}`;
}
