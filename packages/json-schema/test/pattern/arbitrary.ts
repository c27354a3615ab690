import fc from "fast-check";

const atoms = [
  ..."abc-é😀",
  ..."\\d \\D \\w \\W \\s \\S . [ab] [^a] [a-c] [^\\s\\d] [\\w.-] [] [^] \\. \\/ \\n \\t \\cA \\x61 \\u0061 \\u{1F600} \\uD83D\\uDE00 \\p{Lu}".split(
    " ",
  ),
];

/** Sources of valid regular expressions, small enough for a backtracking engine to answer on short texts. */
export function patternSource(options: { lookaround: boolean }): fc.Arbitrary<string> {
  const groups = options.lookaround ? ["(", "(?:", "(?<x>", "(?=", "(?!", "(?<=", "(?<!"] : ["(", "(?:"];
  return fc.letrec<{ choice: string; sequence: string; term: string; group: string }>((tie) => ({
    choice: fc.array(tie("sequence"), { minLength: 1, maxLength: 3 }).map((options) => options.join("|")),
    sequence: fc.array(tie("term"), { maxLength: 3 }).map((terms) => terms.join("")),
    term: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.tuple(fc.constantFrom(...atoms), quantifier).map((parts) => parts.join("")),
      fc.constantFrom("^", "$", "\\b", "\\B"),
      tie("group"),
    ),
    group: fc
      .tuple(fc.constantFrom(...groups), tie("choice"), quantifier)
      .map(([open, inner, repeat]) =>
        /^\(\?<?[=!]/.test(open) ? `${open}${inner})` : `${open === "(?<x>" ? "(" : open}${inner})${repeat}`,
      ),
  })).choice;
}

const quantifier = fc.constantFrom("", "", "", "?", "*", "+", "{2}", "{1,}", "{0,2}", "{1,3}", "*?", "+?", "{2,3}?");

/** Texts of the characters that the patterns speak about, lone surrogates among them. */
export const shortText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(..."aaabbc-.1Ab", " ", "\n", "\u2028", "é", "😀", "\ud83d", "\ude00", "_"), { maxLength: 5 })
  .map((parts) => parts.join(""));

/** What RegExp answers if it begins only where a character begins; V8 also begins between the halves of a surrogate pair. */
export function testNatively(source: string, text: string): boolean {
  const sticky = new RegExp(source, "uy");
  for (let at = 0; at <= text.length; at += text.codePointAt(at)! > 0xffff ? 2 : 1) {
    sticky.lastIndex = at;
    if (sticky.test(text)) return true;
  }
  return false;
}
