import { toText, touchArray } from "../machine/convert.ts";
import type { Machine } from "../machine/machine.ts";
import { ArrayValue, type Value } from "../machine/values.ts";

/** A sorted copy by the texts of the items, undefined last. Its order tells of every item. */
export function sortPlain(m: Machine, array: ArrayValue): ArrayValue {
  const count = array.items.length;
  m.allocate(48 + 32 * count);
  m.charge(count * Math.max(1, Math.ceil(Math.log2(count + 1)) >> 1));
  const before = m.touched;
  if (m.tracked) touchArray(m, array);
  const pairs: { value: Value; text: string }[] = [];
  let missing = 0;
  for (const value of array.items) {
    if (value === undefined) missing++;
    else pairs.push({ value, text: toText(m, value) });
  }
  for (const { text } of pairs) m.compared(text.length * Math.ceil(Math.log2(count + 1)));
  pairs.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  const sorted = new ArrayValue(pairs.map(({ value }) => value));
  for (; missing > 0; missing--) sorted.items.push(undefined);
  if (m.tracked) {
    sorted.all = m.touched;
    sorted.shape = array.shape;
    m.touched = before;
  }
  return sorted;
}
