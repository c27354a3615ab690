import { canonicalJson, leafHash, merkleProofs, nodeHash } from "@toolrack/core/internal";
import type { MerkleHead } from "@toolrack/core/trust";
import { requireRole } from "../access.ts";
import { appendEntries, storable } from "../engine/chain.ts";
import type { DefinitionLogReads, DefinitionLogRow } from "../engine/definition-log.ts";
import { StoreError } from "../errors.ts";
import type { JsonObject } from "../record/breadcrumb.ts";
import { insideOf } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";

export type DefinitionLogKind = "first-sight" | "change" | "approval" | "refusal" | "restore" | "overlay" | "grant";

/** What happened to a definition. Time, owner and author are added. */
export interface DefinitionLogEntry {
  readonly kind: DefinitionLogKind;
  /** The identity of the source, not the name that it has here. */
  readonly source: string;
  /** The name that the tool has at its source. */
  readonly tool: string;
  /** The print of the definition, as `definitionPrint` makes it; null where there is none. */
  readonly print: string | null;
  /** Who did it. @default the store's actor */
  readonly by?: string;
  /** What else is to be provable: a verdict, a reason, the content of an overlay. Stored unchanged: leave out confidential values. */
  readonly detail?: JsonObject;
}

/** An entry as it is read. */
export interface LoggedDefinition extends Required<Omit<DefinitionLogEntry, "detail">> {
  readonly index: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly detail: JsonObject;
  /** Byte for byte what the log has a hash of. */
  readonly text: string;
}

export interface DefinitionLogQuery {
  readonly source?: string;
  readonly tool?: string;
  /** Only entries with a lower index. */
  readonly before?: number;
  /** @default 100 */
  readonly limit?: number;
}

/**
 * What was seen, changed, approved, refused, overlaid and granted, as one Merkle tree for the whole store, to which entries are only added.
 * An append costs two hashes for each entry and one read; a head or a proof costs one read of at most twice the logarithm of the size.
 */
export interface DefinitionLog {
  /** Adds entries in the caller's transaction, and one line to the audit that states the new head. */
  append(entries: readonly DefinitionLogEntry[], transaction: BreadcrumbStore): Promise<void>;
  /** Entries of the store's owner, the newest first. */
  list(query?: DefinitionLogQuery): Promise<readonly LoggedDefinition[]>;
  /** @default the newest */
  head(size?: number): Promise<MerkleHead>;
  inclusionProof(index: number, size: number): Promise<readonly string[]>;
  consistencyProof(from: number, size: number): Promise<readonly string[]>;
}

/** The kind of the line that states the head of the log of definitions; its body is `{ log: { size, root } }`. */
export const logHeadKind = "definition-log";

export function openDefinitionLog(store: BreadcrumbStore): DefinitionLog {
  const { engine } = insideOf(store);
  return {
    append: appendToLog,
    async list({ before = Number.MAX_SAFE_INTEGER, limit = 100, source, tool } = {}) {
      requireRole(store.actor, "curator", "read the log of definitions");
      const filter = {
        owner: store.actor.owner,
        ...(source !== undefined && { source: storable(source) }),
        ...(tool !== undefined && { tool: storable(tool) }),
      };
      const rows = await engine.logBefore(before, Math.min(1_000, limit), filter);
      return rows.map(toLogged).filter((entry) => (source ?? entry.source) === entry.source && (tool ?? entry.tool) === entry.tool);
    },
    head: (size) => readHead(engine, size),
    async inclusionProof(index, size) {
      await requireWithin(engine, "index", index, size - 1);
      return withNodes(engine, (proofs) => proofs.inclusionProof(index, size));
    },
    async consistencyProof(from, size) {
      await requireWithin(engine, "size", from, size);
      return withNodes(engine, (proofs) => proofs.consistencyProof(from, size));
    },
  };
}

/** The head of the first `size` entries, or of all. */
export async function readHead(reads: DefinitionLogReads, size?: number): Promise<MerkleHead> {
  const all = await reads.logSize();
  if (size !== undefined && size > all) throw outside("size", size, all);
  return withNodes(reads, (proofs) => proofs.head(size ?? all));
}

async function appendToLog(entries: readonly DefinitionLogEntry[], transaction: BreadcrumbStore): Promise<void> {
  const { unit, auditKeys } = insideOf(transaction);
  if (unit === undefined)
    throw new StoreError(
      "QUERY_INVALID",
      "The log of definitions is written in the transaction of the record that an entry is about: pass the store that store.transaction hands you.",
    );
  if (entries.length === 0) return;
  const { owner, agent } = transaction.actor;
  const at = Math.floor(unit.now);
  const size = await unit.tx.logSize();
  const peaks = await readPeaks(unit.tx, size);
  const rows = entries.map((entry, place): DefinitionLogRow => {
    const { kind, source, tool } = entry;
    const body = entryText(entry, { owner, at, agent });
    const index = size + place;
    return { index, at, owner, kind, source: storable(source), tool: storable(tool), body, nodes: addLeaf(peaks, index, leafHash(body)) };
  });
  await unit.tx.appendLog(rows);
  const head: MerkleHead = { size: size + rows.length, root: rootOf(peaks, size + rows.length) };
  const body = JSON.stringify({ log: head });
  await appendEntries(unit.tx, [{ at, owner, kind: logHeadKind, agent, subject: "definitions", body }], auditKeys.current);
}

function entryText(
  { kind, source, tool, print, by, detail = {} }: DefinitionLogEntry,
  facts: { owner: string; at: number; agent: string },
): string {
  const { owner, at, agent } = facts;
  return canonicalJson({ format: "toolrack.definition-log.v1", owner, at, by: by ?? agent, kind, source, tool, print, detail });
}

function toLogged({ index, body }: DefinitionLogRow): LoggedDefinition {
  const { at, by, kind, source, tool, print, detail } = JSON.parse(body) as Omit<LoggedDefinition, "index" | "text">;
  return { index, at, by, kind, source, tool, print, detail, text: body };
}

/** By level: the hash of each complete subtree that a log of this size consists of. */
async function readPeaks(reads: DefinitionLogReads, size: number): Promise<string[]> {
  const peaks: string[] = [];
  const wanted: { level: number; index: number }[] = [];
  for (let level = 0, rest = size; rest > 0; level += 1, rest = Math.floor(rest / 2))
    if (rest % 2 === 1) wanted.push({ level, index: rest * 2 ** level - 1 });
  const nodes = await nodesOf(
    reads,
    wanted.map(({ index }) => index),
  );
  for (const { level, index } of wanted) peaks[level] = nodeAt(nodes, index, level);
  return peaks;
}

/** Adds a leaf to the peaks; answers the hashes of all subtrees that it completes. */
function addLeaf(peaks: string[], index: number, leaf: string): string {
  let hash = leaf;
  let nodes = leaf;
  let level = 0;
  for (let rest = index; rest % 2 === 1; rest = (rest - 1) / 2) {
    hash = nodeHash(peaks[level]!, hash);
    nodes += hash;
    level += 1;
  }
  peaks[level] = hash;
  return nodes;
}

function rootOf(peaks: readonly string[], size: number): string {
  let root: string | undefined;
  for (let level = 0, rest = size; rest > 0; level += 1, rest = Math.floor(rest / 2))
    if (rest % 2 === 1) root = root === undefined ? peaks[level]! : nodeHash(peaks[level]!, root);
  return root!;
}

/** Asks first which hashes are needed, reads all of them at once, and answers then. */
async function withNodes<Result>(reads: DefinitionLogReads, answer: (proofs: ReturnType<typeof merkleProofs>) => Result): Promise<Result> {
  const wanted = new Set<number>();
  const lastLeaf = (level: number, index: number): number => (index + 1) * 2 ** level - 1;
  answer(
    merkleProofs((level, index) => {
      wanted.add(lastLeaf(level, index));
      return noHash;
    }),
  );
  const nodes = await nodesOf(reads, [...wanted]);
  return answer(merkleProofs((level, index) => nodeAt(nodes, lastLeaf(level, index), level)));
}

const noHash = "0".repeat(64);

async function nodesOf(reads: DefinitionLogReads, indexes: readonly number[]): Promise<ReadonlyMap<number, string>> {
  return new Map((await reads.logNodes(indexes)).map(({ index, nodes }) => [index, nodes]));
}

function nodeAt(nodes: ReadonlyMap<number, string>, index: number, level: number): string {
  const hash = nodes.get(index)?.slice(level * 64, level * 64 + 64);
  if (hash?.length === 64) return hash;
  throw new StoreError("STORE_DAMAGED", `Entry ${index} of the log of definitions is missing or damaged. See: toolrack audit verify`);
}

async function requireWithin(reads: DefinitionLogReads, name: string, value: number, most: number): Promise<void> {
  const all = await reads.logSize();
  if (!Number.isSafeInteger(value) || value < 0 || value > most || most > all) throw outside(name, value, Math.min(most, all));
}

function outside(name: string, value: number, most: number): StoreError {
  return new StoreError("QUERY_INVALID", `The ${name} ${value} is not in the log of definitions: it goes up to ${most}.`);
}
