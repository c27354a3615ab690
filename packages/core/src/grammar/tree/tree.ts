import type { CharSet } from "@toolrack/json-schema/internal";

/**
 * A node of a grammar. Equal nodes of one tree are one object, so that a printer can make a rule of a node that is used twice.
 * A choice without options accepts nothing; a sequence without items accepts the empty text.
 */
export type Node = Shape & {
  /** The number of the part in its tree. */
  readonly id: number;
};

type Shape =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "sequence"; readonly items: readonly Node[] }
  | { readonly kind: "choice"; readonly options: readonly Node[] }
  | { readonly kind: "repeat"; readonly item: Node; readonly min: number; readonly max: number }
  | { readonly kind: "rule"; readonly name: string };

/** A finished tree. `rules` holds what `rule` nodes name; a rule that the root does not reach is not printed. */
export interface Grammar {
  readonly root: Node;
  readonly rules: ReadonlyMap<string, Node>;
}

/** Thrown when a tree exceeds its budget; the builder of a part catches it and builds a looser part. */
export class GrammarTooLarge extends Error {
  override readonly name: string = "GrammarTooLarge";
}

/** Builds a tree and keeps equal parts together. Every method simplifies: texts are joined, choices flattened, options that accept nothing are removed. */
export class Tree {
  readonly rules: Map<string, Node> = new Map();
  private readonly known = new Map<string, Node>();
  private size = 0;
  private readonly made = new Map<object, Node>();
  private budget = Infinity;

  readonly nothing: Node = this.keep("|", { kind: "choice", options: [] });
  readonly empty: Node = this.keep("&", { kind: "sequence", items: [] });

  text(text: string): Node {
    return text === "" ? this.empty : this.keep(`"${text}`, { kind: "text", text });
  }

  set(set: CharSet): Node {
    if (set.length === 0) return this.nothing;
    if (set.length === 2 && set[0] === set[1]) return this.text(String.fromCodePoint(set[0]!));
    return this.keep(`[${set.join(",")}`, { kind: "set", set });
  }

  sequence(...parts: readonly Node[]): Node {
    const items: Node[] = [];
    const add = (part: Node): void => {
      const last = items.at(-1);
      const joined = last === undefined ? undefined : this.joined(last, part);
      if (joined === undefined) items.push(part);
      else items[items.length - 1] = joined;
    };
    for (const part of parts) {
      if (part === this.nothing) return this.nothing;
      if (part.kind === "sequence") for (const inner of part.items) add(inner);
      else add(part);
    }
    if (items.length === 1) return items[0]!;
    return this.keep(`&${idsOf(items)}`, { kind: "sequence", items });
  }

  choice(...parts: readonly Node[]): Node {
    const options = new Set<Node>();
    for (const part of parts) {
      // A long choice inside another stays whole: others may use it too, and writing it out each time would square the text.
      if (part.kind === "choice" && part.options.length < 3) for (const inner of part.options) options.add(inner);
      else options.add(part);
    }
    const isOptional = options.delete(this.empty);
    const rest = [...options];
    const one = rest.length === 1 ? rest[0]! : this.keep(`|${idsOf(rest)}`, { kind: "choice", options: rest });
    return isOptional ? this.repeat(one, 0, 1) : one;
  }

  optional(item: Node): Node {
    return this.repeat(item, 0, 1);
  }

  repeat(item: Node, min: number, max: number): Node {
    if (max === 0 || item === this.empty) return this.empty;
    if (item === this.nothing) return min === 0 ? this.empty : this.nothing;
    if (min === 1 && max === 1) return item;
    if (min === 0 && max === 1 && item.kind === "repeat" && item.min <= 1) return this.repeat(item.item, 0, item.max);
    return this.keep(`*${item.id},${min},${max}`, { kind: "repeat", item, min, max });
  }

  /** A reference, which may come before its definition. */
  rule(name: string): Node {
    return this.keep(`<${name}`, { kind: "rule", name });
  }

  /** Defines a rule once; later definitions of the same name are not even built. */
  define(name: string, build: () => Node): Node {
    if (!this.rules.has(name)) {
      this.rules.set(name, this.nothing); // a placeholder, so that a rule may refer to itself
      this.rules.set(name, build());
    }
    return this.rule(name);
  }

  /** Builds what stands for a value, such as a set of characters, once per tree. */
  once(value: object, build: () => Node): Node {
    let node = this.made.get(value);
    if (node === undefined) this.made.set(value, (node = build()));
    return node;
  }

  /** Runs `build` with room for so many new parts; undefined if it needs more. Rules that were begun are forgotten then. */
  within(parts: number, build: () => Node): Node | undefined {
    const outer = this.budget;
    const rules = this.rules.size;
    this.budget = Math.min(outer, this.size + parts);
    try {
      return build();
    } catch (error) {
      if (!(error instanceof GrammarTooLarge) && !(error instanceof RangeError)) throw error;
      for (const name of [...this.rules.keys()].slice(rules)) this.rules.delete(name);
      this.made.clear();
      return undefined;
    } finally {
      this.budget = outer;
    }
  }

  /** "a" "b" → "ab"; x x{0,3} → x{1,4} */
  private joined(left: Node, right: Node): Node | undefined {
    if (left.kind === "text") return right.kind === "text" ? this.text(left.text + right.text) : undefined;
    const item = left.kind === "repeat" ? left.item : left;
    if (item !== (right.kind === "repeat" ? right.item : right) || item.kind === "text") return undefined;
    const [min, max] = left.kind === "repeat" ? [left.min, left.max] : [1, 1];
    return right.kind === "repeat" ? this.repeat(item, min + right.min, max + right.max) : this.repeat(item, min + 1, max + 1);
  }

  private keep(key: string, shape: Shape): Node {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (this.size >= this.budget) throw new GrammarTooLarge("The grammar is larger than its budget.");
    const node = Object.assign(shape, { id: this.size++ });
    this.known.set(key, node);
    return node;
  }
}

function idsOf(nodes: readonly Node[]): string {
  let ids = "";
  for (const { id } of nodes) ids += `${id},`;
  return ids;
}
