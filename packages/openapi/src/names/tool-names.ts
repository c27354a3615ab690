import { createHash } from "node:crypto";

/** What the name of a tool is made from. */
export interface NamedOperation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string | undefined;
}

const maxLength = 64;

/**
 * Names of 1 to 64 of [A-Za-z0-9_-], unique also without regard to case. They do not depend on the order of the operations: where names clash or
 * are too long, every one of them gets a hash of its method and path, for which there is room before the name is cut.
 */
export function nameTools(operations: readonly NamedOperation[], prefix = ""): readonly string[] {
  const begin = prefix === "" ? "" : `${prefix}_`;
  const wanted = operations.map((operation) => begin + wordsOf(operation));
  let hashLength = 0;
  const lengths = wanted.map((name): number => (name.length > maxLength ? 8 : 0));
  for (;;) {
    const names = wanted.map((name, index) => withHash(name, operations[index]!, lengths[index]!));
    const clashes = clashing(names);
    if (clashes.length === 0 || hashLength >= 40) return names;
    // A hash may again give a name that another one has: then both get a longer one.
    hashLength += 8;
    for (const index of clashes) lengths[index] = Math.max(hashLength, lengths[index]! + (lengths[index]! > 0 ? 8 : 0));
  }
}

function clashing(names: readonly string[]): readonly number[] {
  const places = new Map<string, number[]>();
  for (const [index, name] of names.entries()) {
    const key = name.toLowerCase();
    const others = places.get(key);
    if (others === undefined) places.set(key, [index]);
    else others.push(index);
  }
  return [...places.values()].filter((indexes) => indexes.length > 1).flat();
}

function withHash(name: string, { method, path }: NamedOperation, length: number): string {
  if (length === 0) return name;
  const hash = createHash("sha256").update(`${method} ${path}`).digest("hex").slice(0, length);
  return `${name.slice(0, maxLength - 1 - length).replace(/[_-]+$/, "")}_${hash}`;
}

/** "repos/list-issues" → repos_list-issues; without an operationId GET /pets/{id} → get_pets_id. */
function wordsOf({ method, path, operationId = "" }: NamedOperation): string {
  return toWords(operationId) || toWords(`${method.toLowerCase()} ${path}`) || method.toLowerCase();
}

/** A name is at most 64 characters: what stands far behind is not looked at. */
const maxRead = 500;

function toWords(text: string): string {
  return text
    .slice(0, maxRead)
    .replaceAll(/[^A-Za-z0-9_-]+/g, "_")
    .replaceAll(/_{2,}/g, "_")
    .replace(/^[_-]+/, "")
    .replace(/[_-]+$/, "");
}
