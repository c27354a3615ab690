import { createHash } from "node:crypto";

/** A value of the input, by its place and name in the document. */
export interface WantedProperty {
  readonly in: string;
  readonly name: string;
  /** What it is called if its name is taken. @default its name and place */
  readonly otherwise?: string;
}

/** What stands far behind is not looked at, but for the hash. */
const maxRead = 500;
const legal = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * Names of properties that every vendor takes: 1 to 64 of [a-zA-Z0-9_.-], unique. A name that is legal and alone stays as it is; those that
 * clash get their place, and where that is not enough, a hash.
 */
export function nameProperties(wanted: readonly WantedProperty[]): readonly string[] {
  const bases = wanted.map(({ name }) => toLegal(name));
  const taken = countOf(bases);
  const placed = wanted.map((one, index) =>
    taken.get(bases[index]!) === 1 ? bases[index]! : (one.otherwise ?? cut(`${bases[index]!.slice(0, 54)}_${one.in}`)),
  );
  const again = countOf(placed);
  return wanted.map((one, index) => (again.get(placed[index]!) === 1 ? placed[index]! : withHash(bases[index]!, one)));
}

function countOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** "filter[name]" → filter_name, "$top" → top; a long name is cut, and keeps a hash of the whole. */
function toLegal(name: string): string {
  if (legal.test(name)) return name;
  const words = name
    .slice(0, maxRead)
    .replaceAll(/[^a-zA-Z0-9_.-]+/g, "_")
    .replace(/^_+/, "")
    .replace(/_+$/, "");
  return words === ""
    ? `value_${hashOf(name)}`
    : words.length > 64 || name.length > maxRead
      ? `${words.slice(0, 55)}_${hashOf(name)}`
      : words;
}

function withHash(base: string, { in: place, name }: WantedProperty): string {
  return cut(`${base.slice(0, 55)}_${hashOf(`${place} ${name}`)}`);
}

function cut(name: string): string {
  return name.slice(0, 64);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
