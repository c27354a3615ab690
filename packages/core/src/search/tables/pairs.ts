import { grow } from "./grow.ts";

/**
 * Which passages contain two words side by side. Most pairs occur once, so a list for each would be nearly all overhead: entries are kept in
 * chains of a hash table instead. Entries are as in the postings: `passage * 256 + weight`.
 */
export interface Pairs {
  /** Passages must be added in the order of their numbers. A pair that the passage already has changes nothing. */
  add(pair: number, passage: number, strength: number): void;
  /** Adds the entries of a pair to a list, including those of removed passages until `compact`. */
  find(pair: number, into: EntryList): void;
  compact(renumber: Int32Array): void;
}

/** Only the first `count` items are valid. */
export interface EntryList {
  items: Uint32Array;
  count: number;
}

/** The hash of two terms side by side, from their own. */
export function pairOf(first: number, second: number): number {
  const mixed = Math.imul(first ^ (second >>> 16) ^ (second << 16), 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

export function createPairs(): Pairs {
  let heads = new Int32Array(256).fill(-1);
  let hashes = new Uint32Array(256);
  let entries = new Uint32Array(256);
  let nexts = new Int32Array(256);
  let size = 0;

  function link(node: number): void {
    const place = hashes[node]! & (heads.length - 1);
    nexts[node] = heads[place]!;
    heads[place] = node;
  }

  /** Capacity in entries; the number of chains is about the same, a power of two. */
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
    add(pair, passage, strength) {
      for (let node = heads[pair & (heads.length - 1)]!; node >= 0 && entries[node]! >>> 8 === passage; node = nexts[node]!)
        if (hashes[node] === pair) return;
      if (size === entries.length) resize(size * 2);
      hashes[size] = pair;
      entries[size] = passage * 256 + strength;
      link(size++);
    },
    find(pair, into) {
      for (let node = heads[pair & (heads.length - 1)]!; node >= 0; node = nexts[node]!) {
        if (hashes[node] !== pair) continue;
        if (into.count === into.items.length) into.items = grow(into.items, into.count * 2);
        into.items[into.count++] = entries[node]!;
      }
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
      resize(Math.max(256, size + (size >> 3)));
    },
  };
}
