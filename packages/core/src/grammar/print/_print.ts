import type { CharSet } from "@toolrack/json-schema/internal";
import type { Node } from "../tree/tree.ts";

/** What differs between notations. */
export interface Notation {
  readonly name: (rule: string) => string;
  readonly text: (text: string) => string;
  readonly set: (set: CharSet) => string;
  readonly line: (name: string, body: string) => string;
}

/** The rules as text, one on each line. Sequences, choices and repeats are the same in every notation, with brackets only where needed. */
export function printRules(rules: ReadonlyMap<string, Node>, nameOf: ReadonlyMap<Node, string>, notation: Notation): string {
  const write = (node: Node, binding: number, isBody = false): string => {
    const name = isBody ? undefined : nameOf.get(node);
    if (name !== undefined) return notation.name(name);
    switch (node.kind) {
      case "rule":
        return notation.name(node.name);
      case "text":
        return notation.text(node.text);
      case "set":
        return notation.set(node.set);
      case "sequence":
        return bind(
          node.items.length === 0 ? '""' : node.items.map((item) => write(item, 2)).join(" "),
          binding > 1 && node.items.length > 1,
        );
      case "choice":
        return bind(node.options.map((option) => write(option, 1)).join(" | "), binding > 0 && node.options.length > 1);
      case "repeat":
        return bind(`${write(node.item, 3)}${count(node.min, node.max)}`, binding > 2);
    }
  };
  let text = "";
  for (const [name, body] of rules) {
    const standsElsewhere = nameOf.has(body) && nameOf.get(body) !== name;
    text += notation.line(notation.name(name), write(body, 0, !standsElsewhere));
  }
  return text;
}

function bind(text: string, needed: boolean): string {
  return needed ? `(${text})` : text;
}

function count(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}
