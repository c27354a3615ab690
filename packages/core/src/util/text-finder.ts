/** Finds any of many texts in another, in one pass whatever their number. */
export interface TextFinder {
  isIn(text: string): boolean;
  /** Puts a mark in the place of each; where several begin at one place, of the longest. */
  replaceAll(text: string, mark: string): string;
}

/** The needles have at least four characters each. */
export function createTextFinder(needles: Iterable<string>): TextFinder {
  const byStart = new Map<number, string[]>();
  const starts = new Uint8Array(0x10000);
  for (const needle of [...needles].sort((a, b) => b.length - a.length)) {
    const start = hashOf(needle);
    const sharing = byStart.get(start);
    if (sharing === undefined) byStart.set(start, [needle]);
    else sharing.push(needle);
    starts[start] = 1;
  }
  if (byStart.size === 0) return { isIn: () => false, replaceAll: (text) => text };

  /** The position of the next match from `from` on; undefined if there is none. */
  function find(text: string, from: number): { readonly at: number; readonly needle: string } | undefined {
    let hash = 0;
    for (let index = from; index < text.length; index++) {
      hash = roll(hash, text.charCodeAt(index));
      const at = index - 3;
      if (starts[hash] === 0 || at < from) continue;
      const needle = byStart.get(hash)!.find((one) => text.startsWith(one, at));
      if (needle !== undefined) return { at, needle };
    }
    return undefined;
  }

  return {
    isIn: (text) => find(text, 0) !== undefined,
    replaceAll(text, mark) {
      let replaced = "";
      let kept = 0;
      for (let found = find(text, 0); found !== undefined; found = find(text, kept)) {
        replaced += text.slice(kept, found.at) + mark;
        kept = found.at + found.needle.length;
      }
      return kept === 0 ? text : replaced + text.slice(kept);
    },
  };
}

/** Of the last four characters: what came before was shifted out. */
function roll(hash: number, code: number): number {
  return ((hash << 4) ^ code) & 0xffff;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < 4; index++) hash = roll(hash, text.charCodeAt(index));
  return hash;
}
