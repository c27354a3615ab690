import { type CharSet, complementOf, contains, unionOf } from "@toolrack/json-schema/internal";
import { intersectionOf } from "../automaton/expression.ts";
import type { Node, Tree } from "./tree.ts";

/** Characters that need no escape in a JSON string: all but controls, the quote, the backslash and halves of surrogate pairs. */
export const plainCharacters: CharSet = complementOf([0, 0x1f, 0x22, 0x22, 0x5c, 0x5c, 0xd800, 0xdfff]);

const hexDigits: CharSet = [48, 57, 65, 70, 97, 102];
const controls: CharSet = [0, 0x1f];

/** Short escapes: the character after the backslash, and the character it means. */
const shortEscapes: readonly (readonly [letter: string, code: number])[] = [
  ['"', 0x22],
  ["\\", 0x5c],
  ["/", 0x2f],
  ["b", 8],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
];

/** One character of a JSON text, whichever it is: as it is, or escaped. Two halves of a surrogate pair count as the one they are. */
export function anyCharacter(tree: Tree): Node {
  return tree.define("char", () => {
    const hex = tree.set(hexDigits);
    const belowSurrogates = tree.sequence(tree.set([48, 57, 65, 67, 69, 70, 97, 99, 101, 102]), tree.repeat(hex, 3, 3));
    const d0 = tree.sequence(tree.set([68, 68, 100, 100]), tree.set([48, 55]), tree.repeat(hex, 2, 2));
    const high = tree.sequence(tree.set([68, 68, 100, 100]), tree.set([56, 57, 65, 66, 97, 98]), tree.repeat(hex, 2, 2));
    const low = tree.sequence(tree.text("\\u"), tree.set([68, 68, 100, 100]), tree.set([67, 70, 99, 102]), tree.repeat(hex, 2, 2));
    const unicode = tree.sequence(tree.text("u"), tree.choice(belowSurrogates, d0, tree.sequence(high, low)));
    const letters = unionOf(shortEscapes.map(([letter]) => [letter.codePointAt(0)!, letter.codePointAt(0)!]));
    return tree.choice(tree.set(plainCharacters), tree.sequence(tree.text("\\"), tree.choice(tree.set(letters), unicode)));
  });
}

/** One character out of a set. Where the set has characters that JSON must escape, their short escapes are taken, and \u00… for the rest. */
export function characterOf(tree: Tree, set: CharSet): Node {
  return tree.once(set, () => writtenSet(tree, set));
}

/**
 * Sets that leave out only a few characters beyond ASCII, as `.` and `\S` do, are written without those exceptions: XGrammar reads a
 * negated class with them wrongly or not at all. The caller records the loss.
 */
export function isWidened(set: CharSet): boolean {
  let beyond = 0;
  for (let index = 0; index < set.length; index += 2) beyond += Math.max(0, set[index + 1]! - Math.max(set[index]!, 0x80) + 1);
  const all = 0x10ffff - 0x80 + 1;
  return beyond > all / 2 && beyond < all;
}

function writtenSet(tree: Tree, given: CharSet): Node {
  const set = isWidened(given) ? unionOf([given, [0x80, 0x10ffff]]) : given;
  if (set.length === 2 && set[0] === 0 && set[1] === 0x10ffff) return anyCharacter(tree);
  const letters = shortEscapes.filter(([, code]) => contains(set, code)).map(([letter]) => letter.codePointAt(0)!);
  const escapes: Node[] = [];
  if (letters.length > 0) escapes.push(tree.set(unionOf(letters.map((code) => [code, code]))));
  const inControls = intersectionOf(set, controls);
  if (inControls.length === 2 && inControls[0] === 0 && inControls[1] === 0x1f) {
    escapes.push(tree.sequence(tree.text("u00"), tree.set([48, 49]), tree.set(hexDigits)));
  } else {
    for (let code = 0; code < 0x20; code++) {
      const isShort = shortEscapes.some(([, short]) => short === code);
      if (!isShort && contains(inControls, code)) escapes.push(tree.text(`u${code.toString(16).padStart(4, "0")}`));
    }
  }
  const escaped = escapes.length === 0 ? [] : [tree.sequence(tree.text("\\"), tree.choice(...escapes))];
  return tree.choice(tree.set(intersectionOf(set, plainCharacters)), ...escaped);
}

/** The optional space between two tokens: none, one blank, or a new line with its indentation. Bounded, so that a model cannot stay in it. */
export function space(tree: Tree): Node {
  return tree.define("ws", () =>
    tree.choice(tree.empty, tree.text(" "), tree.sequence(tree.text("\n"), tree.repeat(tree.set([9, 9, 32, 32]), 0, 20))),
  );
}
