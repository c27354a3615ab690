import { tsPlugin } from "@sveltejs/acorn-typescript";
import { Parser } from "acorn";
import { boundedDepth } from "./bounded-depth.ts";
import { fixedOptions, options } from "./fixed-options.ts";
import { knownWords } from "./known-words.ts";
import type { Node } from "./tree.ts";
import { withoutLocations } from "./without-locations.ts";
import { withoutPatterns } from "./without-patterns.ts";

const JavaScriptParser = Parser.extend(withoutPatterns, boundedDepth, fixedOptions);
const TypeScriptParser = Parser.extend(tsPlugin(), withoutLocations, knownWords, withoutPatterns, boundedDepth, fixedOptions);

/** The tree of a text. Throws the parser's own error, with `pos`, or `NestedTooDeeply`. */
export function parseJavaScript(text: string): Node {
  return JavaScriptParser.parse(text, options) as unknown as Node;
}

/** The same for TypeScript; its types are in the tree. */
export function parseTypeScript(text: string): Node {
  // This parser writes into its options.
  return TypeScriptParser.parse(text, { ...options }) as unknown as Node;
}
