import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { members, own, ownList, ownObject, ownText, setOwn } from "../document/json.ts";
import type { References } from "../document/references.ts";
import type { SpecVersion } from "../document/version.ts";
import type { BodyKind, FormField } from "../operation.ts";
import type { Located } from "../schema/context.ts";
import { hiddenNames, propertiesOf, resolveSchema } from "../schema/resolve.ts";
import { readFormFields, swaggerFields } from "./form-fields.ts";
import { byPreference, kindOf, toSentType } from "./media-types.ts";
import type { BodyParameter } from "./parameters.ts";
import type { RawOperation } from "./raw-operations.ts";
import { swaggerSchema } from "./swagger-schema.ts";

/** The body of an operation: one of its media types, with what its parts are. */
export interface ReadBody {
  readonly kind: BodyKind;
  readonly contentType: string;
  readonly required: boolean;
  readonly schema: Located;
  readonly description: string | undefined;
  /** The members that stand in the input themselves; undefined: the body is one property. */
  readonly spread: ReadonlyMap<string, Located> | undefined;
  readonly requiredMembers: ReadonlySet<string>;
  readonly fields: ReadonlyMap<string, FormField>;
}

export interface BodyContext {
  readonly root: JsonObject;
  readonly version: SpecVersion;
  readonly references: References;
  readonly preferred: readonly string[];
}

/** The body that an operation of OpenAPI 3 describes; undefined if it has none. */
export function readBody(raw: RawOperation, { references, preferred, version }: BodyContext): ReadBody | undefined {
  if (own(raw.value, "requestBody") === undefined) return undefined;
  const { value, scope } = references.follow(raw.value["requestBody"], raw.scope);
  const content = ownObject(value, "content");
  const [contentType] = byPreference(Object.keys(content ?? {}), preferred);
  if (contentType === undefined) return undefined;
  const media = own(content, contentType);
  const schema: Located = { schema: own(media, "schema") ?? {}, scope };
  const kind = kindOf(contentType) ?? kindBySchema(schema, references);
  const isForm = kind === "form" || kind === "multipart";
  return complete(
    {
      kind,
      contentType: toSentType(contentType),
      required: own(value, "required") === true,
      schema,
      description: ownText(value, "description"),
      fields: isForm ? readFormFields(schema, ownObject(media, "encoding"), { kind, contentType }, version, references) : new Map(),
    },
    references,
  );
}

/** The body of an operation of Swagger 2: a parameter of its own, or the fields of a form. */
export function readSwaggerBody(raw: RawOperation, parameters: readonly BodyParameter[], context: BodyContext): ReadBody | undefined {
  const [first] = parameters;
  if (first === undefined) return undefined;
  const declared = ownList(raw.value, "consumes").length > 0 ? ownList(raw.value, "consumes") : ownList(context.root, "consumes");
  const consumes = declared.filter((type) => typeof type === "string");
  const whole = parameters.find((one) => one.in === "body");
  if (whole !== undefined) {
    const schema: Located = { schema: own(whole.value, "schema") ?? {}, scope: whole.scope };
    const others = consumes.filter((type) => kindOf(type) !== "form" && kindOf(type) !== "multipart");
    const contentType = byPreference(others.length > 0 ? others : ["application/json"], context.preferred)[0]!;
    const kind = kindOf(contentType) ?? kindBySchema(schema, context.references);
    const required = own(whole.value, "required") === true;
    const description = ownText(whole.value, "description");
    return complete({ kind, contentType: toSentType(contentType), required, schema, description, fields: new Map() }, context.references);
  }
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const { value } of parameters) {
    const name = ownText(value, "name");
    if (name === undefined) continue;
    const description = ownText(value, "description");
    setOwn(properties, name, { ...swaggerSchema(value), ...(description !== undefined && { description }) });
    if (own(value, "required") === true) required.push(name);
  }
  const hasFile = parameters.some(({ value }) => own(value, "type") === "file");
  const forms = consumes.filter((type) => kindOf(type) === "multipart" || (kindOf(type) === "form" && !hasFile));
  const contentType = byPreference(forms, context.preferred)[0] ?? (hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded");
  const schema: Located = { schema: { type: "object", properties, required }, scope: first.scope };
  return {
    kind: kindOf(contentType)!,
    contentType,
    required: required.length > 0,
    schema,
    description: undefined,
    spread: propertiesOf(schema, context.references),
    requiredMembers: new Set(required),
    fields: swaggerFields(parameters),
  };
}

function kindBySchema(located: Located, references: References): BodyKind {
  const { schema } = resolveSchema(located, references);
  const type = own(schema, "type");
  if (type === "object" || type === "array" || own(schema, "properties") !== undefined || own(schema, "allOf") !== undefined) return "json";
  return type === "string" && own(schema, "format") !== "binary" ? "text" : "bytes";
}

const whole = [
  "allOf",
  "oneOf",
  "anyOf",
  "not",
  "if",
  "patternProperties",
  "minProperties",
  "maxProperties",
  "dependentRequired",
  "dependentSchemas",
  "const",
  "enum",
];

/** Adds the members of a body that is a required plain object. */
function complete(body: Omit<ReadBody, "spread" | "requiredMembers">, references: References): ReadBody {
  const { schema, scope } = resolveSchema(body.schema, references);
  const hasSiblings =
    isObject(body.schema.schema) && body.schema.schema["$ref"] !== undefined && Object.keys(body.schema.schema).length > 1;
  const more = own(schema, "additionalProperties");
  const isPlain =
    body.required &&
    body.kind !== "text" &&
    body.kind !== "bytes" &&
    !hasSiblings &&
    (own(schema, "type") === "object" || own(schema, "type") === undefined) &&
    (more === undefined || more === false) &&
    own(schema, "nullable") !== true &&
    own(schema, "x-nullable") !== true &&
    !whole.some((key) => own(schema, key) !== undefined);
  const hidden = isPlain ? hiddenNames({ schema, scope }, "input", references) : new Set<string>();
  const shown = isPlain ? members(own(schema, "properties")).filter(([name]) => !hidden.has(name)) : [];
  const required = ownList(schema, "required").filter((name) => typeof name === "string" && !hidden.has(name));
  const spread = shown.length === 0 ? undefined : new Map(shown.map(([name, inner]) => [name, { schema: inner, scope }]));
  return { ...body, spread, requiredMembers: new Set(required as string[]) };
}
