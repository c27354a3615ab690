/**
 * Which passages say a term, and how strongly: for each term a list of numbers, passage and strength packed into one. All lists lie in
 * one array, because ten thousand small arrays would cost more than what they hold.
 * Passages are numbered upwards from 0. What was taken out stays in the lists until `compact`.
 */
export interface Postings {
  /** An entry is `passage * 256 + strength`, strength from 1 to 255. Good until the next change. */
  find(term: string): Uint32Array | undefined;
  /** How many of the passages that are left say the term. */
  count(term: string): number;
  add(term: string, passage: number, strength: number): void;
  /** Counts a passage out of a term. */
  drop(term: string): void;
  /** Forgets all passages that `renumber` answers -1 for, and gives the others their new numbers; their order must stay. */
  compact(renumber: Int32Array): void;
}

export function createPostings(): Postings {
  let ids = new Map<string, number>();
  let entries = new Uint32Array(1_024);
  let used = 0;
  let starts = new Int32Array(256);
  let lengths = new Int32Array(256);
  let rooms = new Int32Array(256);
  let counts = new Int32Array(256);

  function addTerm(term: string): number {
    const id = ids.size;
    ids.set(term, id);
    if (id === starts.length) {
      starts = grown(starts, id * 2);
      lengths = grown(lengths, id * 2);
      rooms = grown(rooms, id * 2);
      counts = grown(counts, id * 2);
    }
    starts[id] = lengths[id] = rooms[id] = counts[id] = 0;
    return id;
  }

  /** Moves a full list to the end, with room for as much again. */
  function widen(id: number): void {
    const room = Math.max(2, rooms[id]! * 2);
    if (used + room > entries.length) {
      const wider = new Uint32Array(Math.max(entries.length * 2, used + room));
      wider.set(entries.subarray(0, used));
      entries = wider;
    }
    entries.copyWithin(used, starts[id]!, starts[id]! + lengths[id]!);
    starts[id] = used;
    rooms[id] = room;
    used += room;
  }

  return {
    find(term) {
      const id = ids.get(term);
      return id === undefined ? undefined : entries.subarray(starts[id]!, starts[id]! + lengths[id]!);
    },
    count(term) {
      const id = ids.get(term);
      return id === undefined ? 0 : counts[id]!;
    },
    add(term, passage, strength) {
      const id = ids.get(term) ?? addTerm(term);
      if (lengths[id] === rooms[id]) widen(id);
      entries[starts[id]! + lengths[id]!] = passage * 256 + strength;
      lengths[id]!++;
      counts[id]!++;
    },
    drop(term) {
      const id = ids.get(term);
      if (id !== undefined && counts[id]! > 0) counts[id]!--;
    },
    compact(renumber) {
      const kept = new Uint32Array(
        Math.max(
          1_024,
          lengths.reduce((sum, length) => sum + length, 0),
        ),
      );
      let next = 0;
      let nextId = 0;
      const before = ids;
      ids = new Map();
      for (const [term, id] of before) {
        const from = next;
        for (let at = starts[id]!; at < starts[id]! + lengths[id]!; at++) {
          const passage = renumber[entries[at]! >>> 8]!;
          if (passage >= 0) kept[next++] = passage * 256 + (entries[at]! & 255);
        }
        if (next === from) continue;
        // Terms come in the order of their numbers, so a number that is taken again was read before.
        ids.set(term, nextId);
        starts[nextId] = from;
        lengths[nextId] = rooms[nextId] = counts[nextId] = next - from;
        nextId++;
      }
      entries = kept.slice(0, Math.max(1, next));
      used = next;
    },
  };
}

function grown(values: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(length);
  wider.set(values);
  return wider;
}
