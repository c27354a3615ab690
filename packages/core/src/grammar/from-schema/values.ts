import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { space } from "../tree/json-text.ts";
import type { Node, Tree } from "../tree/tree.ts";

/** One fixed value, written the way JSON writers do, with optional space inside objects and lists. */
export function valueNode(tree: Tree, value: unknown): Node {
  const ws = space(tree);
  if (Array.isArray(value))
    return enclosed(
      tree,
      "[",
      value.map((item) => valueNode(tree, item)),
      "]",
    );
  if (!isObject(value)) return tree.text(JSON.stringify(value));
  const members = Object.entries(value as JsonObject).map(([key, inner]) =>
    tree.sequence(tree.text(`${JSON.stringify(key)}:`), ws, valueNode(tree, inner)),
  );
  return enclosed(tree, "{", members, "}");
}

/** Any of the values. Many are sorted into a tree of common beginnings, so that an engine follows few of them at a time. */
export function enumNode(tree: Tree, values: readonly unknown[]): Node {
  const simple = values.filter((value) => typeof value !== "object" || value === null).map((value) => JSON.stringify(value));
  const others = values.filter((value) => typeof value === "object" && value !== null).map((value) => valueNode(tree, value));
  const texts = simple.length > fewValues ? [beginnings(tree, [...new Set(simple)].sort())] : simple.map((text) => tree.text(text));
  return tree.choice(...texts, ...others);
}

const fewValues = 40;

function enclosed(tree: Tree, open: string, items: readonly Node[], close: string): Node {
  if (items.length === 0) return tree.text(open + close);
  const ws = space(tree);
  const comma = tree.sequence(tree.text(","), ws);
  return tree.sequence(
    tree.text(open),
    ws,
    ...items.flatMap((item, index) => (index === 0 ? [item] : [comma, item])),
    ws,
    tree.text(close),
  );
}

/** Contract: the texts are sorted and distinct. */
function beginnings(tree: Tree, texts: readonly string[], from = 0): Node {
  const groups = new Map<string, string[]>();
  for (const text of texts) {
    const character = from < text.length ? String.fromCodePoint(text.codePointAt(from)!) : "";
    const group = groups.get(character);
    if (group === undefined) groups.set(character, [text]);
    else group.push(text);
  }
  const options = [...groups].map(([character, group]) => {
    if (character === "") return tree.empty;
    if (group.length === 1) return tree.text(group[0]!.slice(from));
    const shared = commonLength(group[0]!, group.at(-1)!, from);
    return tree.sequence(tree.text(group[0]!.slice(from, shared)), beginnings(tree, group, shared));
  });
  return tree.choice(...options);
}

/** Both begin alike up to here; surrogate pairs are not cut in two. */
function commonLength(a: string, b: string, from: number): number {
  let at = from;
  while (at < a.length && a.codePointAt(at) === b.codePointAt(at)) at += a.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}
