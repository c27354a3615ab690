/** Labels by JSON Pointer. */
export type LabelsByPlace = Readonly<Record<string, readonly string[]>>;

/** The labels of a part of an input: `{ "/input/to": … }` at "/input" is `{ "/to": … }`. What holds for all of the input holds for the part. */
export function labelsBelow(labels: LabelsByPlace, at: string): LabelsByPlace {
  const found = new Map<string, readonly string[]>();
  for (const [place, names] of Object.entries(labels)) {
    const isBelow = place === at || place.startsWith(`${at}/`);
    if (!isBelow && !(place === "" || at.startsWith(`${place}/`))) continue;
    const below = isBelow ? place.slice(at.length) : "";
    found.set(below, joined(found.get(below), names));
  }
  return Object.fromEntries(found);
}

/** What holds for the call as a whole and for other parts of its input: they decide what is done with the part. */
export function labelsBeside(labels: LabelsByPlace, at: string): readonly string[] {
  const beside = Object.entries(labels).filter(([place]) => place === "" || !(place === at || place.startsWith(`${at}/`)));
  return joined(...beside.map(([, names]) => names));
}

export function joined(...lists: readonly (readonly string[] | undefined)[]): readonly string[] {
  return [...new Set(lists.flatMap((list) => list ?? []))].toSorted();
}
