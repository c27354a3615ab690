import { type Issue, type JsonSchema, validateValue } from "@toolrack/json-schema";
import { unescapePointer } from "@toolrack/json-schema/internal";

export type ModuleOptions = Readonly<Record<string, unknown>>;

/** The options of a pack or type of source that declares none. */
const noOptions: JsonSchema = { type: "object", additionalProperties: false };

/** What is wrong with one option. It names no value, since any may be a credential, and everybody who sees a source sees its error. */
export interface OptionFault {
  /** The keys that lead to the option; empty for the options as a whole. */
  readonly at: readonly string[];
  /** Follows the name of the option: "must be a string.", 'is not a known option. Did you mean "prefix"?' */
  readonly fact: string;
}

/** The options of a pack or source with the defaults of their schema, and what is wrong with them. */
export function readOptions(
  schema: JsonSchema | undefined,
  options: ModuleOptions,
): { readonly value: ModuleOptions; readonly faults: readonly OptionFault[] } {
  const checked = validateValue(schema ?? noOptions, options);
  if (checked.ok) return { value: checked.value as ModuleOptions, faults: [] };
  const faults = checked.issues.map((issue) => ({ at: issue.path.split("/").slice(1).map(unescapePointer), fact: factOf(issue) }));
  return { value: options, faults };
}

function factOf({ keyword, expected, suggestion }: Issue): string {
  if (keyword === "required") return "is required, but it is missing.";
  if (keyword !== "additionalProperties") return `must be ${expected}.`;
  if (suggestion !== undefined) return `is not a known option. Did you mean "${suggestion}"?`;
  return `is not a known option. ${expected === "no parameters" ? "There are none." : `Use ${expected}.`}`;
}
