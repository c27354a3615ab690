import type * as Re2 from "re2js";
import { type CharSet, maxCodePoint } from "./charset.ts";
import type { Regex } from "./parse.ts";

/** How often RE2 lets one part be repeated, all counts around it multiplied. */
export const maxRe2Count = 1_000;

/**
 * Compiles for RE2, which answers in linear time; undefined where it cannot be loaded.
 * Contract: no lookaround, and no part counted more than `maxRe2Count` times.
 */
export function compileForRe2(regex: Regex): { test(text: string): boolean } | undefined {
  return loadRe2()?.RE2JS.compile(toRe2(regex));
}

/**
 * Loaded when a pattern first needs it: most schemas have none that does. Undefined outside Node, in Node before 20.16, and where a program was
 * bundled without the package: nothing of Node is imported, so that a bundle for browsers contains neither.
 */
function loadRe2(): typeof Re2 | undefined {
  try {
    const module = globalThis.process?.getBuiltinModule?.("node:module");
    return module?.createRequire(import.meta.url)("re2js") as typeof Re2 | undefined;
  } catch {
    return undefined;
  }
}

const assertions = { start: "\\A", end: "\\z", word: "\\b", notWord: "\\B" } as const;

/** Every class is written out as code points, because RE2 has its own opinion of what `.`, `\s` and `\p{…}` hold. */
function toRe2(regex: Regex): string {
  switch (regex.kind) {
    case "set":
      return setToRe2(regex.set);
    case "assert":
      return assertions[regex.at];
    case "sequence":
      return regex.items.map(toRe2).join("");
    case "choice":
      return `(?:${regex.options.map(toRe2).join("|")})`;
    case "repeat":
      return `(?:${toRe2(regex.item)}){${regex.min},${regex.max === Infinity ? "" : regex.max}}`;
    case "look":
      throw new Error("RE2 has no lookaround.");
  }
}

function setToRe2(set: CharSet): string {
  if (set.length === 0) return `[^${rangesToRe2([0, maxCodePoint])}]`;
  return `[${rangesToRe2(set)}]`;
}

function rangesToRe2(set: CharSet): string {
  let text = "";
  for (let index = 0; index < set.length; index += 2) text += `${codePoint(set[index]!)}-${codePoint(set[index + 1]!)}`;
  return text;
}

function codePoint(code: number): string {
  return `\\x{${code.toString(16)}}`;
}
