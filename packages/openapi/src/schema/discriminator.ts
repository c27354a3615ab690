import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { members, own, ownObject, ownText, setOwn } from "../document/json.ts";
import { createOnce } from "../document/once.ts";
import type { DocumentScope, References } from "../document/references.ts";
import { OperationLimit } from "../fault.ts";
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
  const { byId, byName } = mappingOf(discriminator!, branch, context);
  const lists = [byId.get(id) ?? [], byName.get(id.slice(id.lastIndexOf("/") + 1)) ?? []];
  references.work.copy(lists[0]!.length + lists[1]!.length);
  const values = lists.flat();
  const schema = values.length > 1 ? { enum: values } : { const: values[0] ?? name };
  const properties: JsonObject = {};
  setOwn(properties, property, schema);
  return { properties, ...(direction === "input" && { required: [property] }) };
}

/** The values of a mapping, by what they lead to. */
interface Mapping {
  readonly byId: ReadonlyMap<string, readonly string[]>;
  readonly byName: ReadonlyMap<string, readonly string[]>;
}

const mappings = createOnce<JsonObject, Mapping>();

/** A mapping names references, or only components. It is read once, for all branches. */
function mappingOf(discriminator: JsonObject, { scope }: Located, { references }: SchemaContext): Mapping {
  return mappings(references, discriminator, () => {
    const byId = new Map<string, string[]>();
    const byName = new Map<string, string[]>();
    for (const [value, place] of members(own(discriminator, "mapping"))) {
      if (typeof place !== "string") continue;
      const isReference = /[#/.]/.test(place);
      const key = isReference ? idOf(place, scope, references) : place;
      if (key === undefined) continue;
      const into = isReference ? byId : byName;
      const others = into.get(key);
      if (others === undefined) into.set(key, [value]);
      else others.push(value);
    }
    return { byId, byName };
  });
}

function idOf(reference: string, scope: DocumentScope, references: References): string | undefined {
  try {
    return references.target(reference, scope).id;
  } catch (error) {
    if (error instanceof OperationLimit) throw error;
    return undefined;
  }
}
