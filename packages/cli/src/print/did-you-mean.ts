import { nearestNames } from "@toolrack/core/internal";
import { safe } from "./safe.ts";

/** ' Did you mean "search"?', or "" where no name is near. Begins with a space. */
export function didYouMean(wanted: string, names: Iterable<string>): string {
  const [near] = nearestNames(wanted, names, 1);
  return near === undefined ? "" : ` Did you mean "${safe(near)}"?`;
}

/** "a, b, c", and of more than ten names the first ten with the number of the others. */
export function nameList(names: readonly string[]): string {
  const shown = names
    .slice(0, maxShown)
    .map((name) => safe(name))
    .join(", ");
  return names.length > maxShown ? `${shown} and ${names.length - maxShown} more` : shown;
}

const maxShown = 10;
