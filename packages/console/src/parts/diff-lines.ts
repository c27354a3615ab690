export interface DiffRow {
  readonly left?: string;
  readonly right?: string;
}

/** Lines in pairs: equal lines side by side, removed and added ones next to a gap or each other. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffRow[] {
  const same = longestCommon(before, after);
  const rows: DiffRow[] = [];
  let left = 0;
  let right = 0;
  for (const [atLeft, atRight] of [...same, [before.length, after.length] as const]) {
    while (left < atLeft || right < atRight) {
      rows.push({ ...(left < atLeft && { left: before[left++]! }), ...(right < atRight && { right: after[right++]! }) });
    }
    if (left < before.length && right < after.length) rows.push({ left: before[left++]!, right: after[right++]! });
  }
  return rows;
}

/** The pairs of equal lines of the longest common run of both. Beyond some thousand lines only the ends are compared. */
function longestCommon(before: readonly string[], after: readonly string[]): readonly (readonly [number, number])[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const head = Array.from({ length: start }, (_, index) => [index, index] as const);
  const tail = Array.from({ length: end }, (_, index) => [before.length - end + index, after.length - end + index] as const);
  const a = before.slice(start, before.length - end);
  const b = after.slice(start, after.length - end);
  return [...head, ...(a.length * b.length > maxCells ? [] : middleOf(a, b).map(([x, y]) => [x + start, y + start] as const)), ...tail];
}

const maxCells = 4_000_000;

function middleOf(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let x = a.length - 1; x >= 0; x--) {
    for (let y = b.length - 1; y >= 0; y--) {
      const place = x * width + y;
      lengths[place] = a[x] === b[y] ? lengths[place + width + 1]! + 1 : Math.max(lengths[place + width]!, lengths[place + 1]!);
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let x = 0, y = 0; x < a.length && y < b.length;) {
    if (a[x] === b[y]) pairs.push([x++, y++]);
    else if (lengths[(x + 1) * width + y]! >= lengths[x * width + y + 1]!) x++;
    else y++;
  }
  return pairs;
}
