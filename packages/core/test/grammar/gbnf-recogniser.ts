/** One part of a parsed GBNF grammar. */
export type Part =
  | { readonly kind: "text"; readonly codes: readonly number[] }
  | { readonly kind: "class"; readonly negated: boolean; readonly ranges: readonly (readonly [number, number])[] }
  | { readonly kind: "rule"; readonly name: string }
  | { readonly kind: "sequence"; readonly items: readonly Part[] }
  | { readonly kind: "choice"; readonly options: readonly Part[] }
  | { readonly kind: "repeat"; readonly item: Part; readonly min: number; readonly max: number };

export interface Recogniser {
  readonly rules: ReadonlyMap<string, Part>;
  /** Whether the whole text is in the language of the rule `root`. */
  accepts(text: string): boolean;
}

/**
 * Reads GBNF as strictly as llama.cpp does and answers which texts the grammar accepts. Throws for what the engine refuses: unknown
 * escapes, rule names with other characters than letters, digits and dashes, undefined rules, left recursion, repeats of 2,000 and more
 * (counts inside each other multiplied, counts beside each other in a repeated group added). A rule that is defined twice is refused as well, though the engine takes the last one.
 */
export function readGbnf(text: string): Recogniser {
  const rules = new GbnfParser(text).grammar();
  if (!rules.has("root")) throw new SyntaxError("There is no rule root.");
  for (const [name, part] of rules) check(name, part, rules);
  refuseLeftRecursion(rules);
  return {
    rules,
    accepts: (input) =>
      recognise(
        rules,
        Array.from(input, (character) => character.codePointAt(0)!),
      ),
  };
}

const maxRepeat = 2_000;

class GbnfParser {
  private readonly source: string;
  private at = 0;

  constructor(source: string) {
    this.source = source;
  }

  grammar(): Map<string, Part> {
    const rules = new Map<string, Part>();
    this.space(true);
    while (this.at < this.source.length) {
      const name = this.name();
      this.space(false);
      if (!this.source.startsWith("::=", this.at)) this.fail("Expected ::=");
      this.at += 3;
      this.space(true);
      if (rules.has(name)) this.fail(`Rule ${name} is defined twice`);
      rules.set(name, this.choice(false));
      if (this.at < this.source.length && this.source[this.at] !== "\n" && this.source[this.at] !== "\r")
        this.fail("Expected the end of the rule");
      this.space(true);
    }
    return rules;
  }

  private choice(nested: boolean): Part {
    const options = [this.sequence(nested)];
    while (this.source[this.at] === "|") {
      this.at++;
      this.space(true);
      options.push(this.sequence(nested));
    }
    return options.length === 1 ? options[0]! : { kind: "choice", options };
  }

  private sequence(nested: boolean): Part {
    const items: Part[] = [];
    for (;;) {
      const next = this.source[this.at];
      let item: Part;
      if (next === '"') item = this.literal();
      else if (next === "[") item = this.class();
      else if (next !== undefined && /[A-Za-z0-9-]/.test(next)) item = { kind: "rule", name: this.name() };
      else if (next === "(") {
        this.at++;
        this.space(true);
        item = this.choice(true);
        if (this.source[this.at] !== ")") this.fail("Expected )");
        this.at++;
      } else break;
      this.space(nested);
      items.push(this.repeated(item, nested));
    }
    return items.length === 1 ? items[0]! : { kind: "sequence", items };
  }

  private repeated(item: Part, nested: boolean): Part {
    const match = /^(?:([*+?])|\{\s*(\d+)\s*(?:(,)\s*(\d*)\s*)?\})/.exec(this.source.slice(this.at, this.at + 40));
    if (match === null) return item;
    this.at += match[0].length;
    this.space(nested);
    const [, sign, least, comma, most] = match;
    if (sign !== undefined)
      return this.repeated({ kind: "repeat", item, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity }, nested);
    const min = Number(least);
    const max = comma === undefined ? min : most === "" ? Infinity : Number(most);
    if (max < min) this.fail(`A repeat of at least ${min} and at most ${max}`);
    return this.repeated({ kind: "repeat", item, min, max }, nested);
  }

  private literal(): Part {
    this.at++;
    const codes: number[] = [];
    while (this.source[this.at] !== '"') codes.push(this.character());
    this.at++;
    return { kind: "text", codes };
  }

  private class(): Part {
    this.at++;
    const negated = this.source[this.at] === "^";
    if (negated) this.at++;
    const ranges: [number, number][] = [];
    while (this.source[this.at] !== "]") {
      const from = this.character();
      if (this.source[this.at] === "-" && this.source[this.at + 1] !== "]") {
        this.at++;
        const to = this.character();
        if (to < from) this.fail("A range that ends before it begins");
        ranges.push([from, to]);
      } else ranges.push([from, from]);
    }
    this.at++;
    if (ranges.length === 0) this.fail("An empty class");
    return { kind: "class", negated, ranges };
  }

  private character(): number {
    const code = this.source.codePointAt(this.at);
    if (code === undefined || code === 10) this.fail("The line ends inside a literal");
    this.at += code! > 0xffff ? 2 : 1;
    if (code !== 92) return code!;
    const match = /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([tnr\\"[\]]))/.exec(this.source.slice(this.at, this.at + 9));
    if (match === null) this.fail("An escape that the engine does not know");
    this.at += match![0].length;
    const hex = match![1] ?? match![2] ?? match![3];
    if (hex !== undefined) return Number.parseInt(hex, 16);
    return { t: 9, n: 10, r: 13 }[match![4]!] ?? match![4]!.charCodeAt(0);
  }

  private name(): string {
    const match = /^[A-Za-z0-9-]+/.exec(this.source.slice(this.at, this.at + 200));
    if (match === null) this.fail("Expected a rule's name");
    if (!/^[A-Za-z]/.test(match![0])) this.fail("A name that begins with a digit or a dash is not portable");
    this.at += match![0].length;
    if (/[_.]/.test(this.source[this.at] ?? "")) this.fail("A name with an underscore or a dot");
    return match![0];
  }

  private space(newLines: boolean): void {
    const pattern = newLines ? /(?:[ \t\r\n]|#[^\n]*)*/y : /(?:[ \t]|#[^\n]*)*/y;
    pattern.lastIndex = this.at;
    this.at += pattern.exec(this.source)![0].length;
  }

  private fail(fact: string): never {
    const line = this.source.slice(0, this.at).split("\n").length;
    throw new SyntaxError(`${fact} in line ${line}, before ${JSON.stringify(this.source.slice(this.at, this.at + 30))}.`);
  }
}

/** How often the engine writes a part out: a reference counts once, whatever stands behind it. */
function check(name: string, part: Part, rules: ReadonlyMap<string, Part>): number {
  switch (part.kind) {
    case "rule":
      if (!rules.has(part.name)) throw new SyntaxError(`Rule ${part.name}, which ${name} uses, is not defined.`);
      return 1;
    case "sequence":
      return part.items.reduce((sum, item) => sum + check(name, item, rules), 0);
    case "choice":
      return part.options.reduce((sum, option) => sum + check(name, option, rules), 0);
    case "repeat": {
      const size = check(name, part.item, rules) * (part.max === Infinity ? Math.max(1, part.min) : part.max);
      if (size >= maxRepeat) throw new SyntaxError(`Rule ${name} repeats ${size} parts, and the engine takes fewer than ${maxRepeat}.`);
      return size;
    }
    default:
      return 1;
  }
}

function refuseLeftRecursion(rules: ReadonlyMap<string, Part>): void {
  const nullable = new Set<string>();
  const isNullable = (part: Part): boolean => {
    if (part.kind === "text") return part.codes.length === 0;
    if (part.kind === "class") return false;
    if (part.kind === "rule") return nullable.has(part.name);
    if (part.kind === "sequence") return part.items.every(isNullable);
    if (part.kind === "choice") return part.options.some(isNullable);
    return part.min === 0 || isNullable(part.item);
  };
  for (let before = -1; before !== nullable.size;) {
    before = nullable.size;
    for (const [name, part] of rules) if (isNullable(part)) nullable.add(name);
  }
  const firstRules = (part: Part): string[] => {
    if (part.kind === "rule") return [part.name];
    if (part.kind === "choice") return part.options.flatMap(firstRules);
    if (part.kind === "repeat") return firstRules(part.item);
    if (part.kind !== "sequence") return [];
    const found: string[] = [];
    for (const item of part.items) {
      found.push(...firstRules(item));
      if (!isNullable(item)) break;
    }
    return found;
  };
  const closed = new Set<string>();
  const visit = (name: string, open: ReadonlySet<string>): void => {
    if (open.has(name)) throw new SyntaxError(`Rule ${name} is left-recursive.`);
    if (closed.has(name)) return;
    for (const inner of firstRules(rules.get(name)!)) visit(inner, new Set([...open, name]));
    closed.add(name);
  };
  for (const name of rules.keys()) visit(name, new Set());
}

/** Every way through the grammar at once: for a part and a place, all places where the part may end. */
function recognise(rules: ReadonlyMap<string, Part>, input: readonly number[]): boolean {
  const known = new Map<Part, Map<number, ReadonlySet<number>>>();

  function ends(part: Part, at: number): ReadonlySet<number> {
    if (part.kind === "text")
      return part.codes.every((code, index) => input[at + index] === code) ? new Set([at + part.codes.length]) : none;
    if (part.kind === "class")
      return at < input.length && part.ranges.some(([from, to]) => input[at]! >= from && input[at]! <= to) !== part.negated
        ? new Set([at + 1])
        : none;
    let byPlace = known.get(part);
    if (byPlace === undefined) known.set(part, (byPlace = new Map()));
    let found = byPlace.get(at);
    if (found === undefined) byPlace.set(at, (found = endsAnew(part, at)));
    return found;
  }

  function endsAnew(part: Exclude<Part, { kind: "text" | "class" }>, at: number): ReadonlySet<number> {
    switch (part.kind) {
      case "rule":
        return ends(rules.get(part.name)!, at);
      case "choice":
        return union(part.options.map((option) => ends(option, at)));
      case "sequence": {
        let places: ReadonlySet<number> = new Set([at]);
        for (const item of part.items) {
          places = union([...places].map((place) => ends(item, place)));
          if (places.size === 0) break;
        }
        return places;
      }
      case "repeat": {
        let places: ReadonlySet<number> = new Set([at]);
        const all = new Set<number>(part.min === 0 ? places : []);
        for (let count = 1; count <= part.max && places.size > 0; count++) {
          const next = union([...places].map((place) => ends(part.item, place)));
          places = count < part.min ? next : new Set([...next].filter((place) => !all.has(place)));
          if (count >= part.min) for (const place of places) all.add(place);
        }
        return all;
      }
    }
  }

  return ends({ kind: "rule", name: "root" }, 0).has(input.length);
}

const none: ReadonlySet<number> = new Set();

function union(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  return sets.length === 1 ? sets[0]! : new Set(sets.flatMap((set) => [...set]));
}
