import { nodeCrypto } from "../util/hash.ts";

let shared: readonly string[] | undefined;

function allEndings(): readonly string[] {
  return (shared ??= Array.from({ length: 1_000 }, (_, index) => String(index).padStart(3, "0")));
}

/** "k3Jx0QzP9sWv-0001" … : globally unique by their beginning, ordered by their end. Formatting a number for each id would be the largest part of the cost. */
export function createCallIds(): () => string {
  const prefix = nodeCrypto().randomBytes(12).toString("base64url");
  const endings = allEndings();
  let thousands = 0;
  let index = 0;
  let beginning = `${prefix}-0`;
  return () => {
    if (index === endings.length) {
      index = 0;
      beginning = `${prefix}-${++thousands}`;
    }
    return beginning + endings[index++]!;
  };
}
