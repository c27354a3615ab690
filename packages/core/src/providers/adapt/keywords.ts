import { annotationKeywords, type Place } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { hintFor, withHints } from "./describe.ts";
import { type AdaptContext, nodePass, type NodePass } from "./pass.ts";

/** Drops every keyword that is not in the list. Comes after the passes that turn what a keyword means into others. */
export function keepKeywords(kept: readonly string[]): NodePass {
  const known = new Set([...kept, "$defs"]);
  return nodePass(undefined, (node, place, context) => drop(node, place, context, (keyword) => !known.has(keyword)));
}

/** Drops the keywords in the list. */
export function dropKeywords(refused: readonly string[]): NodePass {
  return nodePass(refused, (node, place, context) => drop(node, place, context, (keyword) => refused.includes(keyword)));
}

/** Drops a keyword where its argument is one that the vendor refuses. */
export function dropArguments(keyword: string, isRefused: (argument: unknown, schema: JsonSchema) => boolean): NodePass {
  return nodePass([keyword], (node, place, context) =>
    Object.hasOwn(node, keyword) && isRefused(node[keyword], node) ? drop(node, place, context, (other) => other === keyword) : node,
  );
}

/** Words about the document or its readers; leaving them out loses nothing. */
const silent = new Set([
  ...[...annotationKeywords].filter((keyword) => keyword !== "default"),
  "$vocabulary",
  "minContains",
  "then",
  "else",
]);

function drop(node: JsonSchema, place: Place | undefined, context: AdaptContext, isDropped: (keyword: string) => boolean): JsonSchema {
  const keywords = Object.keys(node);
  if (!keywords.some(isDropped)) return node;
  const dropped = keywords.filter(isDropped);
  const hints: string[] = [];
  for (const keyword of dropped) {
    const hint = hintFor(keyword, node);
    if (hint !== undefined) hints.push(hint);
    if (!silent.has(keyword)) context.lose(place, keyword, hint === undefined ? "dropped" : "dropped, and noted in the description");
  }
  return withHints(Object.fromEntries(Object.entries(node).filter(([keyword]) => !dropped.includes(keyword))), hints);
}
