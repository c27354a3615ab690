/** A list of one value, `length` times. */
export function filled<T>(length: number, value: T): T[] {
  const list: T[] = [];
  for (let at = 0; at < length; at++) list.push(value);
  return list;
}
