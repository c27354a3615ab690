/**
 * Which passages say two words side by side. Most pairs are said once, so a list for each would be nearly all overhead: entries hang in
 * chains behind a hash instead. Entries are as in the postings: `passage * 256 + strength`.
 */
export interface Pairs {
  add(pair: string, passage: number, strength: number): void;
  /** The entries of a pair; also those of passages that were taken out, until `compact`. */
  find(pair: string): Uint32Array;
  compact(renumber: Int32Array): void;
}

export function createPairs(): Pairs {
  let heads = new Int32Array(256).fill(-1);
  let hashes = new Uint32Array(256);
  let entries = new Uint32Array(256);
  let nexts = new Int32Array(256);
  let size = 0;

  function append(hash: number, entry: number): void {
    if (size === entries.length) resize(Math.ceil(size * 1.5));
    hashes[size] = hash;
    entries[size] = entry;
    link(size++);
  }

  function link(node: number): void {
    const place = hashes[node]! & (heads.length - 1);
    nexts[node] = heads[place]!;
    heads[place] = node;
  }

  /** Room for so many entries; about as many chains as entries, a power of two. */
  function resize(room: number): void {
    const [before, beforeHashes] = [entries, hashes];
    entries = new Uint32Array(room);
    hashes = new Uint32Array(room);
    nexts = new Int32Array(room);
    entries.set(before.subarray(0, size));
    hashes.set(beforeHashes.subarray(0, size));
    heads = new Int32Array(2 ** Math.floor(Math.log2(room))).fill(-1);
    for (let node = 0; node < size; node++) link(node);
  }

  return {
    add: (pair, passage, strength) => append(hashOf(pair), passage * 256 + strength),
    find(pair) {
      const hash = hashOf(pair);
      const found: number[] = [];
      for (let node = heads[hash & (heads.length - 1)]!; node >= 0; node = nexts[node]!)
        if (hashes[node] === hash) found.push(entries[node]!);
      // Newest first in the chain; in the lists of words the oldest comes first.
      return Uint32Array.from(found.reverse());
    },
    compact(renumber) {
      let kept = 0;
      for (let node = 0; node < size; node++) {
        const passage = renumber[entries[node]! >>> 8]!;
        if (passage < 0) continue;
        hashes[kept] = hashes[node]!;
        entries[kept++] = passage * 256 + (entries[node]! & 255);
      }
      size = kept;
      resize(Math.max(256, size));
    },
  };
}

/** FNV-1a over the characters. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
