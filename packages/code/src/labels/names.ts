/** What a value tells of: `untrusted`, `private`, `secret`, or a name of one's own. */
export type Label = string;

const maximumNames = 30;

/** Refuses more names than can be told apart. */
export function checkNames(names: readonly Label[]): void {
  const { size } = new Set(names);
  if (size > maximumNames)
    throw new TypeError(`There are ${size} different labels; a program can tell at most ${maximumNames} apart. Use fewer names.`);
}

/** The bits of labels; new names get the next bit of the list. */
export function toBits(names: string[], labels: readonly Label[]): number {
  let bits = 0;
  for (const label of labels) {
    let at = names.indexOf(label);
    if (at === -1) {
      checkNames([...names, label]);
      at = names.push(label) - 1;
    }
    bits |= 1 << at;
  }
  return bits;
}

/** The labels of bits, sorted. */
export function fromBits(names: readonly string[], bits: number): Label[] {
  return names.filter((_, at) => (bits & (1 << at)) !== 0).toSorted();
}
