import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { members, own, ownObject, ownText, setOwn } from "../document/json.ts";
import { isHidden, propertiesOf, resolveSchema } from "./resolve.ts";
import type { Located, SchemaContext } from "./context.ts";

/**
 * What a discriminator says of one branch, as keywords beside its reference: the property has the branch's value. Undefined where the branch
 * tells that itself, or where it is not a reference.
 */
export function discriminatorOf(parent: JsonObject, branch: Located, context: SchemaContext): JsonObject | undefined {
  const discriminator = ownObject(parent, "discriminator");
  const property = ownText(discriminator, "propertyName");
  const reference = isObject(branch.schema) ? ownText(branch.schema, "$ref") : undefined;
  if (property === undefined || reference === undefined) return undefined;
  const { references, direction } = context;
  const { id, name } = references.target(reference, branch.scope);
  const declared = propertiesOf(branch, references).get(property);
  if (declared !== undefined) {
    const { schema } = resolveSchema(declared, references);
    if (own(schema, "enum") !== undefined || own(schema, "const") !== undefined || isHidden(declared, direction, references))
      return undefined;
  }
  const values = members(own(discriminator, "mapping"))
    .filter(([, place]) => typeof place === "string" && leadsTo(place, id, branch, context))
    .map(([value]) => value);
  const schema = values.length > 1 ? { enum: values } : { const: values[0] ?? name };
  const properties: JsonObject = {};
  setOwn(properties, property, schema);
  return { properties, ...(direction === "input" && { required: [property] }) };
}

/** A mapping names a reference, or only the component. */
function leadsTo(place: string, id: string, { scope }: Located, { references }: SchemaContext): boolean {
  try {
    if (/[#/.]/.test(place)) return references.target(place, scope).id === id;
  } catch {
    return false;
  }
  return id.endsWith(`/${place}`);
}
