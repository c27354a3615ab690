import { type CharSet, contains, maxCodePoint, unionOf } from "@toolrack/json-schema/internal";
import { spend } from "./work-budget.ts";

/** A set of texts. Besides the usual operations of regular expressions there are "and" and "not". Equal expressions of one factory are one object. */
export type Expression =
  | { readonly kind: "set"; readonly id: number; readonly nullable: boolean; readonly set: CharSet }
  | { readonly kind: "empty"; readonly id: number; readonly nullable: boolean }
  | { readonly kind: "then"; readonly id: number; readonly nullable: boolean; readonly first: Expression; readonly rest: Expression }
  | { readonly kind: "or" | "and"; readonly id: number; readonly nullable: boolean; readonly parts: readonly Expression[] }
  | { readonly kind: "not" | "star"; readonly id: number; readonly nullable: boolean; readonly item: Expression };

type Draft<Kind extends Expression = Expression> = Kind extends Expression ? Omit<Kind, "id"> : never;

/** Makes expressions and their Brzozowski derivatives: what may follow after a character. */
export class Expressions {
  private readonly known = new Map<string, Expression>();
  private readonly derived = new Map<number, Map<number, Expression>>();

  readonly none: Expression = this.keep("[", { kind: "set", nullable: false, set: [] });
  readonly empty: Expression = this.keep("e", { kind: "empty", nullable: true });
  readonly any: Expression = this.set([0, maxCodePoint]);
  readonly all: Expression = this.star(this.any);

  set(set: CharSet): Expression {
    return this.keep(`[${set.join(",")}`, { kind: "set", nullable: false, set });
  }

  text(text: string): Expression {
    return this.then(...Array.from(text, (character) => this.set([character.codePointAt(0)!, character.codePointAt(0)!])));
  }

  then(...items: readonly Expression[]): Expression {
    return items.reduceRight((rest, first) => this.pair(first, rest), this.empty);
  }

  or(...items: readonly Expression[]): Expression {
    const parts = this.flat("or", items, this.none, this.all);
    if (parts === undefined) return this.all;
    const sets = parts.filter((part) => part.kind === "set");
    const merged =
      sets.length < 2 ? parts : sorted([...parts.filter((part) => part.kind !== "set"), this.set(unionOf(sets.map(({ set }) => set)))]);
    if (merged.length < 2) return merged[0] ?? this.none;
    return this.keep(`|${ids(merged)}`, { kind: "or", nullable: merged.some(({ nullable }) => nullable), parts: merged });
  }

  and(...items: readonly Expression[]): Expression {
    const parts = this.flat("and", items, this.all, this.none);
    if (parts === undefined) return this.none;
    if (parts.length < 2) return parts[0] ?? this.all;
    return this.keep(`&${ids(parts)}`, { kind: "and", nullable: parts.every(({ nullable }) => nullable), parts });
  }

  not(item: Expression): Expression {
    if (item.kind === "not") return item.item;
    if (item === this.none) return this.all;
    if (item === this.all) return this.none;
    return this.keep(`!${item.id}`, { kind: "not", nullable: !item.nullable, item });
  }

  star(item: Expression): Expression {
    if (item === this.none || item === this.empty) return this.empty;
    if (item.kind === "star") return item;
    return this.keep(`*${item.id}`, { kind: "star", nullable: true, item });
  }

  /** Contract: the counts are small, because each repetition is written out. */
  repeat(item: Expression, min: number, max: number): Expression {
    let tail = max === Infinity ? this.star(item) : this.empty;
    if (max !== Infinity) for (let count = min; count < max; count++) tail = this.or(this.empty, this.pair(item, tail));
    for (let count = 0; count < min; count++) tail = this.pair(item, tail);
    return tail;
  }

  /** What may follow after the character. */
  derive(expression: Expression, code: number): Expression {
    spend(1); // whoever asks for many looks between them whether it may go on
    let byCode = this.derived.get(expression.id);
    if (byCode === undefined) this.derived.set(expression.id, (byCode = new Map()));
    let result = byCode.get(code);
    if (result === undefined) byCode.set(code, (result = this.deriveAnew(expression, code)));
    return result;
  }

  private deriveAnew(expression: Expression, code: number): Expression {
    switch (expression.kind) {
      case "empty":
        return this.none;
      case "set":
        return contains(expression.set, code) ? this.empty : this.none;
      case "then": {
        const first = this.pair(this.derive(expression.first, code), expression.rest);
        return expression.first.nullable ? this.or(first, this.derive(expression.rest, code)) : first;
      }
      case "or":
        return this.or(...expression.parts.map((part) => this.derive(part, code)));
      case "and":
        return this.and(...expression.parts.map((part) => this.derive(part, code)));
      case "not":
        return this.not(this.derive(expression.item, code));
      case "star":
        return this.pair(this.derive(expression.item, code), expression);
    }
  }

  private pair(first: Expression, rest: Expression): Expression {
    if (first === this.none || rest === this.none) return this.none;
    if (first === this.empty) return rest;
    if (rest === this.empty) return first;
    if (first.kind === "then") return this.pair(first.first, this.pair(first.rest, rest));
    return this.keep(`.${first.id},${rest.id}`, { kind: "then", nullable: first.nullable && rest.nullable, first, rest });
  }

  /** The distinct parts without the neutral element, in a fixed order; undefined if one part absorbs the others. */
  private flat(kind: "or" | "and", items: readonly Expression[], neutral: Expression, decisive: Expression): Expression[] | undefined {
    const parts = new Set<Expression>();
    for (const item of items) for (const part of item.kind === kind ? item.parts : [item]) parts.add(part);
    spend(parts.size);
    parts.delete(neutral);
    if (parts.has(decisive)) return undefined;
    return sorted([...parts]);
  }

  private keep(key: string, draft: Draft): Expression {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const expression = { ...draft, id: this.known.size } as Expression;
    this.known.set(key, expression);
    return expression;
  }
}

/** Groups of characters that an expression cannot tell apart when it reads its first one. */
export function firstGroups(expression: Expression): readonly CharSet[] {
  const sets = new Set<CharSet>();
  collectFirst(expression, sets, new Set());
  const borders = new Set([0]);
  for (const set of sets) for (let index = 0; index < set.length; index += 2) borders.add(set[index]!).add(set[index + 1]! + 1);
  const starts = [...borders].filter((start) => start <= maxCodePoint).sort((a, b) => a - b);
  // Between two borders all characters behave alike; ranges are in one group if every set contains both or neither.
  const groupOf = starts.map(() => 0);
  let count = 1;
  for (const set of sets) {
    const inside = new Map<number, number>();
    for (let piece = 0, index = 0; piece < starts.length && index < set.length; piece++) {
      if (starts[piece]! > set[index + 1]!) index += 2;
      if (index >= set.length || starts[piece]! < set[index]!) continue;
      if (!inside.has(groupOf[piece]!)) inside.set(groupOf[piece]!, count++);
      groupOf[piece] = inside.get(groupOf[piece]!)!;
    }
  }
  const groups = new Map<number, number[]>();
  for (const [piece, group] of groupOf.entries()) {
    const end = (starts[piece + 1] ?? maxCodePoint + 1) - 1;
    const ranges = groups.get(group);
    if (ranges === undefined) groups.set(group, [starts[piece]!, end]);
    else if (ranges.at(-1) === starts[piece]! - 1) ranges[ranges.length - 1] = end;
    else ranges.push(starts[piece]!, end);
  }
  return [...groups.values()];
}

export function intersectionOf(a: CharSet, b: CharSet): CharSet {
  const both: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const from = Math.max(a[i]!, b[j]!);
    const to = Math.min(a[i + 1]!, b[j + 1]!);
    if (from <= to) both.push(from, to);
    if (a[i + 1]! < b[j + 1]!) i += 2;
    else j += 2;
  }
  return both;
}

function collectFirst(expression: Expression, sets: Set<CharSet>, seen: Set<Expression>): void {
  if (seen.has(expression)) return;
  seen.add(expression);
  switch (expression.kind) {
    case "set":
      sets.add(expression.set);
      break;
    case "then":
      collectFirst(expression.first, sets, seen);
      if (expression.first.nullable) collectFirst(expression.rest, sets, seen);
      break;
    case "or":
    case "and":
      for (const part of expression.parts) collectFirst(part, sets, seen);
      break;
    case "not":
    case "star":
      collectFirst(expression.item, sets, seen);
  }
}

function sorted(parts: Expression[]): Expression[] {
  return parts.sort((a, b) => a.id - b.id);
}

function ids(parts: readonly Expression[]): string {
  return parts.map(({ id }) => id).join(",");
}
