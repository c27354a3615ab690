import { own } from "../document/json.ts";
import type { References } from "../document/references.ts";
import { propertiesOf, resolveSchema } from "../schema/resolve.ts";
import type { ReadParameter } from "./parameters.ts";

/** Whether an object in the query has members that are objects or lists themselves. */
export function hasDeeperValues({ in: place, style, explode, schema, contentType }: ReadParameter, references: References): boolean {
  if (place !== "query" || contentType !== undefined || (style !== "deepObject" && !explode)) return false;
  const isDeep = (type: unknown): boolean => type === "object" || (type === "array" && style === "deepObject");
  return [...propertiesOf(schema, references).values()].some((one) => isDeep(own(resolveSchema(one, references).schema, "type")));
}
