import { nodeCrypto } from "../util/hash.ts";

let shared: readonly string[] | undefined;

function allEndings(): readonly string[] {
  return (shared ??= Array.from({ length: 1_000 }, (_, index) => String(index).padStart(3, "0")));
}

/** "k3Jx0QzP9sWv-0001" … : unique everywhere by their beginning, in order by their end. Turning a number to text for each would cost more than all else. */
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
