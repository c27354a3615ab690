import { type CharSet, complementOf, unionOf } from "@toolrack/json-schema/internal";
import type { Grammar, Node } from "../tree/tree.ts";
import { printRules } from "./_print.ts";
import { childrenOf, toRules } from "./rules.ts";

/**
 * The grammar as Lark text. Rules that only spell characters, such as those of texts and numbers, become terminals (upper case), which the
 * engine reads with one automaton; all others are rules (lower case).
 */
export function printLark(grammar: Grammar): string {
  const { rules, nameOf } = toRules(grammar);
  const terminals = terminalsOf(rules, nameOf);
  const larkName = (name: string): string => {
    const plain = name === "root" ? "start" : name.replaceAll("-", "_");
    return terminals.has(name) ? plain.toUpperCase() : plain.toLowerCase();
  };
  const names = distinctNames([...rules.keys()], larkName);

  return printRules(rules, nameOf, {
    name: (rule) => names.get(rule)!,
    text: (text) => JSON.stringify(text),
    set: (set) => `/${toClass(set)}/`,
    line: (name, body) => `${name}: ${body}\n`,
  });
}

/** The rules without recursion below them, which a regular expression could express. The start rule and rules that may be empty stay rules. */
function terminalsOf(rules: ReadonlyMap<string, Node>, nameOf: ReadonlyMap<Node, string>): ReadonlySet<string> {
  const depends = new Map<string, ReadonlySet<string>>();
  for (const [name, body] of rules) depends.set(name, new Set(referencesOf(body, nameOf)));
  const terminals = new Set<string>();
  // From the leaves up: a rule is a terminal once all that it refers to are.
  for (let before = -1; before !== terminals.size;) {
    before = terminals.size;
    for (const [name, inner] of depends) {
      const isSmall = [...inner].every((other) => terminals.has(other));
      if (name !== "root" && isSmall && !isNullable(rules.get(name)!) && isCharacters(rules.get(name)!)) terminals.add(name);
    }
  }
  return terminals;
}

/** Parts of texts and numbers may be terminals; members of objects, whose keys an engine has to tell apart, may not. */
function isCharacters(node: Node): boolean {
  if (node.kind === "text") return node.text.length <= 2;
  return childrenOf(node).every(isCharacters);
}

function referencesOf(node: Node, nameOf: ReadonlyMap<Node, string>): string[] {
  if (node.kind === "rule") return [node.name];
  return childrenOf(node).flatMap((inner) => (nameOf.has(inner) ? [nameOf.get(inner)!] : referencesOf(inner, nameOf)));
}

/** Terminals are never empty, so that a reference is not either. */
function isNullable(node: Node): boolean {
  switch (node.kind) {
    case "repeat":
      return node.min === 0 || isNullable(node.item);
    case "sequence":
      return node.items.every(isNullable);
    case "choice":
      return node.options.some(isNullable);
    default:
      return false;
  }
}

/** Dashes become underscores, so two names may become equal; the later one gets a number. */
function distinctNames(names: readonly string[], rename: (name: string) => string): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    names.map((name) => {
      const wanted = rename(name);
      let free = wanted;
      for (let number = 2; taken.has(free); number++) free = `${wanted}_${number}`;
      taken.add(free);
      return [name, free];
    }),
  );
}

/** A class of Rust's regular expressions; every character that is no letter or digit is spelled by its code. */
function toClass(set: CharSet): string {
  const visible = complementOf(unionOf([complementOf(set), [0xd800, 0xdfff]]));
  const left = complementOf(unionOf([visible, [0xd800, 0xdfff]]));
  return left.length < visible.length ? `[^${ranges(left.length === 0 ? [0, 0] : left)}]` : `[${ranges(visible)}]`;
}

function ranges(set: CharSet): string {
  let written = "";
  for (let index = 0; index < set.length; index += 2) {
    const [from, to] = [set[index]!, set[index + 1]!];
    written += from === to ? spelled(from) : `${spelled(from)}-${spelled(to)}`;
  }
  return written;
}

function spelled(code: number): string {
  const character = String.fromCodePoint(code);
  return /[A-Za-z0-9]/.test(character) ? character : `\\x{${code.toString(16).toUpperCase()}}`;
}
