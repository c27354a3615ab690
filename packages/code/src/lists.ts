/** A list of one value, `length` times. */
export function filled<T>(length: number, value: T): T[] {
  const list: T[] = [];
  for (let at = 0; at < length; at++) list.push(value);
  return list;
}

/** Appends to a list, one by one: a call of the host cannot have a hundred thousand arguments. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const item of more) list.push(item);
}
