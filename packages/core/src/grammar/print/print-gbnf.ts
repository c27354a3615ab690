import { type CharSet, complementOf, unionOf } from "@toolrack/json-schema/internal";
import { printRules } from "./_print.ts";
import { toRules } from "./rules.ts";
import type { Grammar } from "../tree/tree.ts";

/** llama.cpp refuses a repeat of 2,000 and silently ignores the bound of a larger one. */
export const maxGbnfRepeat = 1_999;

/**
 * The grammar as GBNF text, in the part of the notation that llama.cpp and XGrammar read alike: names of letters, digits and dashes,
 * escapes only where both know them, one rule a line. Contract: no repeat counts beyond `maxGbnfRepeat`.
 */
export function printGbnf(grammar: Grammar): string {
  const { rules, nameOf } = toRules(grammar);
  return printRules(rules, nameOf, {
    name: (rule) => rule,
    text: quoted,
    set: toClass,
    line: (name, body) => `${name} ::= ${body}\n`,
  });
}

/** A quoted text. What is not printable ASCII is written as an escape that both engines know. */
export function quoted(text: string): string {
  let written = "";
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (character === '"' || character === "\\") written += `\\${character}`;
    else written += shortEscape.get(code) ?? (code < 0x20 || code === 0x7f ? hex(code) : character);
  }
  return `"${written}"`;
}

const shortEscape: ReadonlyMap<number, string> = new Map([
  [9, "\\t"],
  [10, "\\n"],
  [13, "\\r"],
]);

const surrogates: CharSet = [0xd800, 0xdfff];

/**
 * [a-z0-9]; a set that leaves out ASCII characters only is written by those, because XGrammar reads no other ranges in a negated class.
 * Surrogates never occur, so they may stand on either side.
 */
function toClass(set: CharSet): string {
  const left = withoutSurrogates(complementOf(set));
  if (left.length === 0) return "[^\\u0000]";
  return left.at(-1)! < 0x80 ? `[^${ranges(left)}]` : `[${ranges(withoutSurrogates(set))}]`;
}

function withoutSurrogates(set: CharSet): CharSet {
  return complementOf(unionOf([complementOf(set), surrogates]));
}

/** A dash stands last, where it cannot be taken for a range. */
function ranges(set: CharSet): string {
  let written = "";
  let dash = "";
  for (let index = 0; index < set.length; index += 2) {
    const [from, to] = [set[index]!, set[index + 1]!];
    if (from === 45 && to === 45) dash = "-";
    else written += from === to ? inClass(from) : to === from + 1 ? inClass(from) + inClass(to) : `${inClass(from)}-${inClass(to)}`;
  }
  return written + dash;
}

/** Between two letters or digits a range is plain; anything else is spelled by its code, so that no character has a second meaning. */
function inClass(code: number): string {
  const character = String.fromCodePoint(code);
  if (/[A-Za-z0-9 !#$%&'()*+,./:;<=>?@_`{|}~]/.test(character)) return character;
  if (character === "\\" || character === "[" || character === "]") return `\\${character}`;
  return shortEscape.get(code) ?? hex(code);
}

/** é → \u00E9, 😀 → \U0001F600 */
function hex(code: number): string {
  const digits = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
}
