import { normalizeSchema } from "@toolrack/json-schema";
import { anyValue, Build } from "./from-schema/build.ts";
import { defaultWorkBudget, withWorkBudget } from "./automaton/work-budget.ts";
import type { ExtraKeys } from "./from-schema/keys.ts";
import { type GrammarLoss, Location } from "./loss.ts";
import { printGbnf } from "./print/print-gbnf.ts";
import { type Grammar, Tree } from "./tree/tree.ts";

export interface GrammarOptions {
  /**
   * Which objects may have keys that they do not name: "explicit" ones, whose schema has `additionalProperties` or names no key at all,
   * or all that are not closed, as "schema" reads them. Models invent parameters where they may. @default "explicit"
   */
  readonly extraKeys?: ExtraKeys;
  /**
   * How many steps the automata of all patterns, formats and ranges may take together. What does not fit becomes looser, and the report says
   * so. Use a lower number for schemas of strangers. @default 2_000_000
   */
  readonly maxEffort?: number;
}

/** A grammar and its losses. */
export interface GrammarReport {
  readonly grammar: string;
  readonly losses: readonly GrammarLoss[];
}

/** A JSON Schema as GBNF, the grammar notation of llama.cpp and XGrammar: the JSON texts of the values that the schema accepts. */
export function toGbnf(schema: unknown, options: GrammarOptions = {}): string {
  return toGbnfWithReport(schema, options).grammar;
}

/** The same with its losses: parts of the grammar that are looser than the schema. Throws SCHEMA_INVALID for a value that is not a schema. */
export function toGbnfWithReport(schema: unknown, options: GrammarOptions = {}): GrammarReport {
  const { grammar, losses } = schemaGrammar(schema, options);
  return { grammar: printGbnf(grammar), losses };
}

const maxParts = 60_000;

/** The tree that the printers start from. */
export function schemaGrammar(
  schema: unknown,
  options: GrammarOptions = {},
): { readonly grammar: Grammar; readonly losses: readonly GrammarLoss[] } {
  const tree = new Tree();
  const losses: GrammarLoss[] = [];
  const normal = normalizeSchema(schema === true ? {} : schema === false ? { not: {} } : schema).schema;
  const build = new Build(tree, normal, options.extraKeys ?? "explicit", "");
  let root = withWorkBudget(options.maxEffort ?? defaultWorkBudget, () =>
    tree.within(maxParts, () => build.value(normal, new Location(losses))),
  );
  if (root === undefined || root === tree.nothing) {
    const fact = root === undefined ? "the schema is too large for a grammar" : "the schema accepts no value";
    losses.push({ path: "", keyword: "", note: `${fact}: any value is allowed` });
    root = anyValue(tree);
  }
  return { grammar: { root, rules: tree.rules }, losses };
}
