import { dropArguments } from "../keywords.ts";
import type { NodePass } from "../pass.ts";

/** Drops every format that is not in the list. */
export function keepFormats(known: readonly string[]): NodePass {
  return dropArguments("format", (format) => !known.includes(format as string));
}

/** Drops patterns that engines without backtracking refuse: look-around, back-references, word boundaries, classes by Unicode property. */
export const portablePatterns: NodePass = dropArguments("pattern", (pattern) => !isPortablePattern(pattern as string));

export function isPortablePattern(pattern: string): boolean {
  return !/\(\?[^:]|\\[1-9bBkpP]|[*+?}]\?/.test(pattern);
}
