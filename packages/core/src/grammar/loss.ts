import { escapePointer } from "@toolrack/json-schema/internal";

/** What a grammar could not hold a model to, or holds it to more narrowly than the schema. Validation of the call still checks all of it. */
export interface GrammarLoss {
  /** The tool, in a grammar of several. */
  readonly tool?: string;
  /** A JSON pointer into the schema's normal form. */
  readonly path: string;
  readonly keyword: string;
  readonly note: string;
}

/** Where in a schema a builder is; collects what it has to give up there. */
export class Place {
  readonly path: string;
  private readonly losses: GrammarLoss[];
  private readonly known: Set<string>;

  constructor(losses: GrammarLoss[], path: string = "", known: Set<string> = new Set()) {
    this.losses = losses;
    this.path = path;
    this.known = known;
  }

  inside(...keys: readonly string[]): Place {
    return new Place(this.losses, this.path + keys.map((key) => `/${escapePointer(key)}`).join(""), this.known);
  }

  /** So many losses were recorded, here and elsewhere. */
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
