import { escapePointer } from "@toolrack/json-schema/internal";

/** A constraint that the grammar leaves out, or makes stricter than the schema. Validation of the call still checks all of them. */
export interface GrammarLoss {
  /** The tool, in a grammar of several. */
  readonly tool?: string;
  /** A JSON pointer into the schema's normal form. */
  readonly path: string;
  readonly keyword: string;
  readonly note: string;
}

/** The position of a builder in a schema. Collects the losses. */
export class Location {
  readonly path: string;
  private readonly losses: GrammarLoss[];
  private readonly known: Set<string>;

  constructor(losses: GrammarLoss[], path: string = "", known: Set<string> = new Set()) {
    this.losses = losses;
    this.path = path;
    this.known = known;
  }

  inside(...keys: readonly string[]): Location {
    return new Location(this.losses, this.path + keys.map((key) => `/${escapePointer(key)}`).join(""), this.known);
  }

  /** The number of losses so far, in the whole grammar. */
  get lossCount(): number {
    return this.losses.length;
  }

  lose(keyword: string, note: string): void {
    const { path, losses, known } = this;
    const key = JSON.stringify([path, keyword, note]);
    if (known.has(key)) return;
    known.add(key);
    losses.push({ path, keyword, note });
  }
}
