import { toBase64 } from "#bytes";
import { randomBytes } from "#platform";

let shared: readonly string[] | undefined;

function allEndings(): readonly string[] {
  return (shared ??= Array.from({ length: 1_000 }, (_, index) => String(index).padStart(3, "0")));
}

/**
 * "k3Jx0QzP9sWv-0001" … : globally unique by their beginning, ordered by their end. Formatting a number for each id would be the largest
 * part of the cost. The beginning is chosen with the first id: a worker may create a registry before it may use random numbers.
 */
export function createCallIds(): () => string {
  let endings: readonly string[] = [];
  let prefix = "";
  let thousands = -1;
  let index = 0;
  let beginning = "";
  return () => {
    if (index === endings.length) {
      if (prefix === "") [prefix, endings] = [randomText(), allEndings()];
      index = 0;
      beginning = `${prefix}-${++thousands}`;
    }
    return beginning + endings[index++]!;
  };
}

function randomText(): string {
  return toBase64(randomBytes(12)).replaceAll("+", "-").replaceAll("/", "_");
}
