import { own } from "../document/json.ts";
import type { References } from "../document/references.ts";
import type { Located } from "../schema/context.ts";
import { propertiesOf, resolveSchema } from "../schema/resolve.ts";
import type { ReadParameter } from "./parameters.ts";

/**
 * A sentence if the members or items of a parameter may be objects or lists themselves, for which the specification has no form in a query or cookie: how they
 * are sent.
 */
export function deeperValuesIn(parameter: ReadParameter, references: References): string | undefined {
  const { in: place, style, explode, schema, contentType, name, inner } = parameter;
  if ((place !== "query" && place !== "cookie") || contentType !== undefined) return undefined;
  const typeOf = (located: Located): unknown => own(resolveSchema(located, references).schema, "type");
  const { schema: own_, scope } = resolveSchema(schema, references);
  const types = [...propertiesOf(schema, references).values()].map(typeOf);
  // Swagger 2 says how the lists of a list are joined.
  const item = inner === undefined && own(own_, "type") === "array" ? typeOf({ schema: own(own_, "items"), scope }) : undefined;
  const isDeep = (type: unknown): boolean => type === "object" || type === "array";
  const told = (form: string): string => `"${name}" may hold deeper values, which the specification leaves open: they are sent as ${form}.`;
  if (isDeep(item)) return told("JSON text");
  if (style === "deepObject") return types.some(isDeep) ? told(`${name}[a][b]=`) : undefined;
  // A list in an exploded object repeats its name, as a list does.
  if (explode) return types.includes("object") ? told("a[b]=, where a is the member") : undefined;
  return types.some(isDeep) ? told("JSON text") : undefined;
}
