import { type Place, pointerTo, rewriteSchema, usedKeywords } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import type { Loss } from "../loss.ts";

/**
 * One step from a schema in normal form to a vendor's schema.
 * Contract: every value that was valid before is valid after (apart from undeclared keys of an object that does not say whether it is
 * open); a constraint that the new schema no longer has is reported to `lose`.
 */
export type AdaptPass = (schema: JsonSchema, context: AdaptContext) => JsonSchema;

/** A pass that visits one schema at a time, innermost first. Neighbouring passes of this kind share one walk. */
export interface NodePass extends AdaptPass {
  readonly visit: NodeVisit;
  readonly words: readonly string[] | undefined;
}

export type NodeVisit = (node: JsonSchema, place: Place | undefined, context: AdaptContext) => JsonSchema;

/** Makes a pass of a visit function. With `words` it is skipped if the schema uses none of these keywords; see `usedKeywords`. */
export function nodePass(words: readonly string[] | undefined, visit: NodeVisit): NodePass {
  const made: NodePass = Object.assign((schema: JsonSchema, context: AdaptContext) => runPasses([made], schema, context), { visit, words });
  return made;
}

/** The same pass, skipped if the schema uses none of these keywords. */
export function when(words: readonly string[], pass: AdaptPass): AdaptPass {
  return (schema, context) => {
    const used = context.used(schema);
    return words.some((word) => used.has(word)) ? pass(schema, context) : schema;
  };
}

/** Runs the passes in their order. */
export function runPasses(passes: readonly AdaptPass[], schema: JsonSchema, context: AdaptContext): JsonSchema {
  let current = schema;
  for (let index = 0; index < passes.length;) {
    const visits: NodeVisit[] = [];
    const used = context.used(current);
    let pass = passes[index]!;
    while (isNodePass(pass)) {
      if (pass.words === undefined || pass.words.some((word) => used.has(word))) visits.push(pass.visit);
      pass = passes[++index]!;
    }
    if (visits.length > 0)
      current = rewriteSchema(current, (node, place) => visits.reduce((next, visit) => visit(next, place, context), node));
    if (index < passes.length) current = passes[index++]!(current, context);
  }
  return current;
}

function isNodePass(pass: AdaptPass | undefined): pass is NodePass {
  return pass !== undefined && "visit" in pass;
}

export interface AdaptContext {
  readonly losses: Loss[];
  /** The keywords that a schema uses, computed once until the schema changes. */
  used(schema: JsonSchema): ReadonlySet<string>;
  lose(place: Place | undefined, keyword: string, note: string): void;
}

export function createContext(): AdaptContext {
  const losses: Loss[] = [];
  const told = new Set<string>();
  let last: { schema: JsonSchema; used: ReadonlySet<string> } | undefined;
  return {
    losses,
    used(schema) {
      if (last?.schema !== schema) last = { schema, used: usedKeywords(schema) };
      return last.used;
    },
    lose(place, keyword, note) {
      const path = pointerTo(place);
      if (told.has(`${path} ${keyword}`)) return;
      told.add(`${path} ${keyword}`);
      losses.push({ path, keyword, note });
    },
  };
}
