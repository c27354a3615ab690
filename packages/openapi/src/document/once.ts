import type { References } from "./references.ts";

/** Reads a part of a document once, for all operations that share it by reference. */
export type Once<Part extends object, Value> = (references: References, part: Part, read: () => Value) => Value;

export function createOnce<Part extends object, Value>(): Once<Part, Value> {
  const documents = new WeakMap<References, WeakMap<Part, { readonly value: Value }>>();
  return (references, part, read) => {
    let known = documents.get(references);
    if (known === undefined) documents.set(references, (known = new WeakMap()));
    let found = known.get(part);
    if (found === undefined) known.set(part, (found = { value: read() }));
    return found.value;
  };
}
