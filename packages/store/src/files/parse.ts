import { StoreError } from "../errors.ts";

/** Parses JSON from a file. What other readers would read differently is refused: a key twice in one object, whole numbers beyond 2^53. */
export function parseStrictly(text: string, place: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new StoreError("RECORD_INVALID", `${place} is not JSON: ${(error as Error).message}`);
  }
  const fault = findFault(text);
  if (fault !== undefined) throw new StoreError("RECORD_INVALID", `${place}: ${fault}`);
  return value;
}

/** One walk over text that is known to be JSON. */
function findFault(text: string): string | undefined {
  const objects: (Set<string> | undefined)[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/g;
  let pending: string | undefined;
  for (const [token] of text.matchAll(tokens)) {
    if (token === "{") objects.push(new Set());
    else if (token === "[") objects.push(undefined);
    else if (token === "}" || token === "]") objects.pop();
    else if (token === ":") {
      const keys = objects.at(-1)!;
      const key = JSON.parse(pending!) as string;
      if (keys.has(key)) return `the key ${JSON.stringify(key.slice(0, 80))} stands twice in one object.`;
      keys.add(key);
    } else if (/^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)))
      return `${token.slice(0, 40)} is a whole number beyond 2^53. Write it as text.`;
    pending = token;
  }
  return undefined;
}
