import { ToolInputError } from "@toolrack/core";

/** A value whose members become names on the wire, and the name that is its own. */
export interface PairOwner {
  /** What the input calls it. */
  readonly shown: string;
  /** Undefined if it has no name on the wire. */
  readonly name: string | undefined;
}

/**
 * Refuses pairs whose name belongs to something else of the request: with `?admin=yes&admin=no` it is the server that chooses. Names are the same
 * also in another case, and with brackets behind them, because many servers read them so.
 */
export function refuseDoubles(pairs: readonly string[], owner: PairOwner, taken: readonly string[], operation: string): void {
  if (taken.length === 0) return;
  const others = taken.filter((name) => name !== owner.name).map(plain);
  for (const pair of pairs) {
    const name = nameOf(pair);
    if (name === owner.name) continue;
    const found = others.find((other) => plain(name) === other || plain(name).startsWith(`${other}[`));
    if (found === undefined) continue;
    const shown = JSON.stringify(name.slice(0, 80));
    throw new ToolInputError(
      `"${owner.shown}" must not have the member ${shown}: ${operation} has that name as a parameter of its own, a fixed value or a credential.`,
    );
  }
}

/** The names in a query that is written already. */
export function namesIn(query: string): readonly string[] {
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map(nameOf);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\[\]$/, "");
}

function nameOf(pair: string): string {
  const end = pair.indexOf("=");
  const name = end < 0 ? pair : pair.slice(0, end);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
