import { sha256Hex } from "#platform";

/** What is published of a log at one time: how many entries it has, and one hash over all of them. */
export interface MerkleHead {
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly root: string;
}

/**
 * A log to which entries are only added, as a Merkle tree in the form of RFC 9162: a leaf is SHA-256(0x00 ‖ entry), a node
 * SHA-256(0x01 ‖ left ‖ right). It holds hashes, not entries; hashes are 64 hexadecimal digits.
 */
export interface MerkleLog {
  readonly size: number;
  /** Adds an entry, and answers its index. */
  append(entry: string | Uint8Array): number;
  /** Adds an entry whose leaf hash is known. */
  appendLeaf(leaf: string): number;
  /** The hash of the 2^level leaves from index · 2^level on. */
  node(level: number, index: number): string;
  /** The head of the first `size` entries; of all of them if there is no size. */
  head(size?: number): MerkleHead;
  /** Proves that the entry at `index` is one of the first `size`. */
  inclusionProof(index: number, size?: number): readonly string[];
  /** Proves that the first `size` entries begin with the first `from`, unchanged. */
  consistencyProof(from: number, size?: number): readonly string[];
}

export interface InclusionClaim {
  /** The hash of the entry, as `leafHash` makes it. */
  readonly leaf: string;
  readonly index: number;
  readonly head: MerkleHead;
  readonly proof: readonly string[];
}

export interface ConsistencyClaim {
  readonly from: MerkleHead;
  readonly to: MerkleHead;
  readonly proof: readonly string[];
}

/** Creates a log from the leaf hashes it has so far. Appending costs one hash on average; proofs cost the logarithm of the size, squared. */
export function createMerkleLog(leaves: Iterable<string> = []): MerkleLog {
  /** levels[k][i] is the hash of the 2^k leaves from i · 2^k on. */
  const levels: string[][] = [[]];
  const appendLeaf = (leaf: string): number => {
    if (!isHash(leaf))
      throw new RangeError("A leaf of a Merkle log is a SHA-256 in 64 hexadecimal digits: use leafHash, or append the entry.");
    const index = levels[0]!.length;
    let hash = leaf;
    for (let level = 0; ; level++) {
      const row = (levels[level] ??= []);
      row.push(hash);
      if (row.length % 2 === 1) return index;
      hash = nodeHash(row.at(-2)!, row.at(-1)!);
    }
  };
  for (const leaf of leaves) appendLeaf(leaf);
  const size = (): number => levels[0]!.length;
  const node = (level: number, index: number): string => {
    const hash = levels[level]?.[index];
    if (hash === undefined) throw new RangeError(`This Merkle log has no complete subtree ${index} of ${2 ** level} leaves.`);
    return hash;
  };
  const proofs = merkleProofs(node);
  const within = (name: string, value: number, least: number, most: number): void => {
    if (!Number.isSafeInteger(value) || value < least || value > most)
      throw new RangeError(`The ${name} ${value} is not in this Merkle log: it must be a whole number from ${least} to ${most}.`);
  };

  return {
    get size() {
      return size();
    },
    append: (entry) => appendLeaf(leafHash(entry)),
    appendLeaf,
    node,
    head(wanted = size()) {
      within("size", wanted, 0, size());
      return proofs.head(wanted);
    },
    inclusionProof(index, wanted = size()) {
      within("size", wanted, 1, size());
      within("index", index, 0, wanted - 1);
      return proofs.inclusionProof(index, wanted);
    },
    consistencyProof(from, wanted = size()) {
      within("size", wanted, 0, size());
      within("size", from, 0, wanted);
      return proofs.consistencyProof(from, wanted);
    },
  };
}

/** Heads and proofs of a log whose hashes are kept elsewhere, in a database for instance. */
export interface MerkleProofs {
  head(size: number): MerkleHead;
  inclusionProof(index: number, size: number): readonly string[];
  consistencyProof(from: number, size: number): readonly string[];
}

/**
 * `node(level, index)` answers the hash of the 2^level leaves from index · 2^level on, all of which are in the log. Each answer here asks for
 * at most twice the logarithm of the size, so that they can be collected first and read at once.
 */
export function merkleProofs(node: (level: number, index: number) => string): MerkleProofs {
  /** The hash of the leaves from `start` up to `end`; `start` is a multiple of the largest power of two below their number. */
  const hashOf = (start: number, end: number): string => {
    const count = end - start;
    if (Number.isInteger(Math.log2(count))) return node(Math.log2(count), start / count);
    const middle = start + splitOf(count);
    return nodeHash(hashOf(start, middle), hashOf(middle, end));
  };
  const pathTo = (index: number, start: number, end: number): string[] => {
    if (end - start === 1) return [];
    const middle = start + splitOf(end - start);
    return index < middle ? [...pathTo(index, start, middle), hashOf(middle, end)] : [...pathTo(index, middle, end), hashOf(start, middle)];
  };
  const pathBetween = (from: number, start: number, end: number, isWhole: boolean): string[] => {
    if (from === end) return isWhole ? [] : [hashOf(start, end)];
    const middle = start + splitOf(end - start);
    return from <= middle
      ? [...pathBetween(from, start, middle, isWhole), hashOf(middle, end)]
      : [...pathBetween(from, middle, end, false), hashOf(start, middle)];
  };
  return {
    head: (size) => ({ size, root: size === 0 ? emptyRoot() : hashOf(0, size) }),
    inclusionProof: (index, size) => pathTo(index, 0, size),
    consistencyProof: (from, size) => (from === 0 || from === size ? [] : pathBetween(from, 0, size, true)),
  };
}

/** The hash of an entry: texts are hashed as UTF-8. */
export function leafHash(entry: string | Uint8Array): string {
  const bytes = typeof entry === "string" ? new TextEncoder().encode(entry) : entry;
  const tagged = new Uint8Array(bytes.length + 1);
  tagged.set(bytes, 1);
  return sha256Hex(tagged);
}

/** Whether the proof shows that the entry is in the log with this head. Never throws: whatever is malformed is false. */
export function verifyInclusion({ leaf, index, head, proof }: InclusionClaim): boolean {
  if (!isHead(head) || !isHash(leaf) || !isProof(proof) || !Number.isSafeInteger(index) || index < 0 || index >= head.size) return false;
  let [first, last, hash] = [index, head.size - 1, leaf];
  for (const other of proof) {
    if (last === 0) return false;
    if (first % 2 === 1 || first === last) {
      hash = nodeHash(other, hash);
      while (first % 2 === 0 && first > 0) [first, last] = [half(first), half(last)];
    } else {
      hash = nodeHash(hash, other);
    }
    [first, last] = [half(first), half(last)];
  }
  return last === 0 && hash === head.root;
}

/** Whether the proof shows that the log of the later head begins with that of the earlier one. Never throws: whatever is malformed is false. */
export function verifyConsistency({ from, to, proof }: ConsistencyClaim): boolean {
  if (!isHead(from) || !isHead(to) || !isProof(proof) || from.size > to.size) return false;
  if (from.size === to.size) return proof.length === 0 && from.root === to.root;
  if (from.size === 0) return proof.length === 0;
  const path = Number.isInteger(Math.log2(from.size)) ? [from.root, ...proof] : [...proof];
  let [first, last] = [from.size - 1, to.size - 1];
  while (first % 2 === 1) [first, last] = [half(first), half(last)];
  const [begin, ...rest] = path;
  if (begin === undefined) return false;
  let [before, after] = [begin, begin];
  for (const other of rest) {
    if (last === 0) return false;
    if (first % 2 === 1 || first === last) {
      [before, after] = [nodeHash(other, before), nodeHash(other, after)];
      while (first % 2 === 0 && first > 0) [first, last] = [half(first), half(last)];
    } else {
      after = nodeHash(after, other);
    }
    [first, last] = [half(first), half(last)];
  }
  return last === 0 && before === from.root && after === to.root;
}

/** What is signed of a head: `toolrack.log-head.v1`, the size, the root and the time (milliseconds since 1970), one in each line. */
export function headText(head: MerkleHead, at: number): string {
  return `toolrack.log-head.v1\n${head.size}\n${head.root}\n${at}\n`;
}

/** The hash of two neighbouring subtrees of the same number of leaves, or of a larger one and the rest. */
export function nodeHash(left: string, right: string): string {
  const bytes = new Uint8Array(65);
  bytes[0] = 1;
  for (let index = 0; index < 32; index++) {
    bytes[1 + index] = Number.parseInt(left.slice(index * 2, index * 2 + 2), 16);
    bytes[33 + index] = Number.parseInt(right.slice(index * 2, index * 2 + 2), 16);
  }
  return sha256Hex(bytes);
}

/** The root of a log without entries: the hash of nothing. */
function emptyRoot(): string {
  return sha256Hex("");
}

/** The largest power of two below a number of at least 2. */
function splitOf(count: number): number {
  return 2 ** (Math.ceil(Math.log2(count)) - 1);
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function isProof(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= 64 && value.every(isHash);
}

function isHead(value: unknown): value is MerkleHead {
  if (typeof value !== "object" || value === null) return false;
  const { size, root } = value as MerkleHead;
  return Number.isSafeInteger(size) && size >= 0 && isHash(root) && (size > 0 || root === emptyRoot());
}
