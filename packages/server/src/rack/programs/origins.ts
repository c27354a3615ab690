import type { LabelsByPlace } from "./given-labels.ts";

/**
 * Where labels come from. The machine follows an origin as it follows a label: it is one, with a name that begins with "@" and does not leave
 * this folder.
 */
export class Origins {
  readonly #names: Set<string>;

  /** `known`: the labels of a program that goes on. */
  constructor(known: readonly string[] = []) {
    this.#names = new Set(known.filter(isOrigin));
  }

  /** Labels with where they come from: "read_mail (line 2)". */
  mark(labels: readonly string[], from: string): readonly string[] {
    if (labels.length === 0) return labels;
    const own = `@${from}`;
    const name = this.#names.has(own) || this.#names.size < maxOrigins ? own : others;
    this.#names.add(name);
    return [...labels, name];
  }
}

/** A machine tells 30 labels apart; some are left for the labels themselves. */
const maxOrigins = 20;
const others = "@other calls";

/** Labels without where they come from. */
export function labelsIn(labels: readonly string[]): readonly string[] {
  return labels.filter((label) => !isOrigin(label));
}

/** Where labels come from. */
export function originsIn(labels: readonly string[]): readonly string[] {
  return labels.filter(isOrigin).map((label) => label.slice(1));
}

/** The same for each place; places without any are left out. */
export function byPlace(labels: LabelsByPlace, pick: (labels: readonly string[]) => readonly string[]): LabelsByPlace {
  return Object.fromEntries(
    Object.entries(labels)
      .map(([place, names]) => [place, pick(names)] as const)
      .filter(([, names]) => names.length > 0),
  );
}

function isOrigin(label: string): boolean {
  return label.startsWith("@");
}
