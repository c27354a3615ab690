import { ToolInputError } from "@toolrack/core";
import { comparedName } from "../names/compared-name.ts";

/** A value whose members become names on the wire, and the name that is its own. */
export interface PairOwner {
  /** What the input calls it. */
  readonly shown: string;
  /** Undefined if it has no name on the wire. */
  readonly name: string | undefined;
}

/** The names in one place of a request that belong to something. */
export interface TakenNames {
  /**
   * Refuses pairs whose name belongs to something else of the request, and takes the names of the others: with `?admin=yes&admin=no` it is the server
   * that chooses. Names are the same also in another case, and with brackets behind them, because many servers read them so.
   */
  take(pairs: readonly string[], owner: PairOwner): void;
}

export function createTakenNames(names: readonly string[], operation: string): TakenNames {
  /** By the form in which names are compared: as they are written. */
  const known = new Map<string, Set<string>>();
  let longest = 0;
  const add = (name: string): void => {
    const form = comparedName(name);
    const same = known.get(form);
    if (same === undefined) known.set(form, new Set([name]));
    else same.add(name);
    longest = Math.max(longest, form.length);
  };
  const isOther = (form: string, own: string | undefined): boolean => {
    const same = known.get(form);
    return same !== undefined && (same.size > 1 || !same.has(own!));
  };
  names.forEach(add);
  return {
    take(pairs, owner) {
      const made = new Set(pairs.map(nameOf).filter((name) => name !== owner.name));
      for (const name of made) {
        const form = comparedName(name);
        let isTaken = isOther(form, owner.name);
        for (let at = form.indexOf("["); at >= 0 && at <= longest && !isTaken; at = form.indexOf("[", at + 1))
          isTaken = isOther(form.slice(0, at), owner.name);
        if (isTaken)
          throw new ToolInputError(
            `"${owner.shown}" must not have the member ${JSON.stringify(name.slice(0, 80))}: ${operation} has that name as a parameter of its own, a fixed value or a credential, or as a member of another one.`,
          );
      }
      made.forEach(add);
    },
  };
}

/** The names in a query that is written already. */
export function namesIn(query: string): readonly string[] {
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map(nameOf);
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
