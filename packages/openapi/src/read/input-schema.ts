import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { own, ownList, setOwn } from "../document/json.ts";
import type { References } from "../document/references.ts";
import type { FormField } from "../operation.ts";
import type { ConvertedSchema, Located } from "../schema/context.ts";
import type { SchemaConverter } from "../schema/convert.ts";
import type { BundledSchema } from "../schema/definitions.ts";
import { hiddenNames, propertiesOf, resolveSchema } from "../schema/resolve.ts";
import type { ReadBody } from "./body.ts";

/** What a document says about a property beside its schema. */
export interface PropertyFacts {
  readonly required: boolean;
  readonly description: string | undefined;
  readonly deprecated: boolean;
}

/** Collects the properties of an input. */
export interface InputSchema {
  add(property: string, located: Located, facts: PropertyFacts): void;
  addConverted(property: string, converted: ConvertedSchema, facts: PropertyFacts): void;
  /** Throws an OperationFault for a schema that cannot be converted, also where it is not shown. */
  check(located: Located): void;
  finish(): BundledSchema;
}

export function createInputSchema(converter: SchemaConverter, maxValues: number): InputSchema {
  const properties: JsonObject = {};
  const required: string[] = [];
  const uses = new Set<string>();

  function addConverted(property: string, converted: ConvertedSchema, facts: PropertyFacts): void {
    for (const name of converted.uses) uses.add(name);
    setOwn(properties, property, withFacts(converted.schema, facts));
    if (facts.required) required.push(property);
  }

  return {
    add: (property, { schema, scope }, facts) => addConverted(property, converter.convert(schema, scope), facts),
    addConverted,
    check: ({ schema, scope }) => void converter.convert(schema, scope),
    finish: () =>
      converter.definitions.bundle(
        { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false },
        uses,
        maxValues,
      ),
  };
}

/** The description of a parameter counts before that of its schema, whose default is kept. */
function withFacts(schema: JsonObject | boolean, { description, deprecated }: PropertyFacts): JsonObject | boolean {
  if (typeof schema === "boolean") return description === undefined ? schema : { description };
  const inner = typeof schema["description"] === "string" ? schema["description"] : "";
  const fallback = /(?:^| )(Default: [^\n]*)$/.exec(inner)?.[1];
  const isTold = fallback === undefined || description?.includes(fallback) === true;
  const shown = description === undefined || isTold ? description : `${description.trimEnd()} ${fallback}`;
  return { ...schema, ...(shown !== undefined && { description: shown }), ...(deprecated && { deprecated: true }) };
}

interface Converting {
  readonly input: SchemaConverter;
  readonly references: References;
}

const base64: JsonObject = { type: "string", contentEncoding: "base64" };

/** The schema of one member of a form or an object: a file is base64 text in the input. */
export function memberSchema(located: Located, field: FormField | undefined, { input, references }: Converting): ConvertedSchema {
  if (field?.isFile !== true) return input.convert(located.schema, located.scope);
  const { schema } = resolveSchema(located, references);
  const description = own(schema, "description");
  const words = typeof description === "string" ? { description } : {};
  const file = field.contentType === undefined ? base64 : { ...base64, contentMediaType: field.contentType };
  const shown = own(schema, "type") === "array" ? { type: "array", items: file, ...words } : { ...file, ...words };
  return { schema: shown, uses: new Set() };
}

/** The schema of a body that is one property, without the members in `gone`. */
export function bodySchema(body: ReadBody, context: Converting, gone: ReadonlySet<string>): ConvertedSchema {
  const { references, input } = context;
  const { kind, contentType, schema: located } = body;
  if (kind === "bytes") return { schema: { ...base64, contentMediaType: contentType }, uses: new Set() };
  if (kind === "text") {
    const converted = input.convert(located.schema, located.scope);
    const isText = isObject(converted.schema) && converted.schema["type"] === "string";
    return isText ? converted : { schema: { type: "string", contentMediaType: contentType }, uses: new Set() };
  }
  if (![...body.fields.values()].some(({ isFile }) => isFile)) return input.convert(located.schema, located.scope, gone);
  const properties: JsonObject = {};
  const uses = new Set<string>();
  const hidden = hiddenNames(located, "input", references);
  for (const [name, inner] of propertiesOf(located, references)) {
    if (hidden.has(name) || gone.has(name)) continue;
    const converted = memberSchema(inner, body.fields.get(name), context);
    for (const one of converted.uses) uses.add(one);
    setOwn(properties, name, converted.schema);
  }
  const required = ownList(resolveSchema(located, references).schema, "required").filter(
    (name) => typeof name === "string" && Object.hasOwn(properties, name),
  );
  return { schema: { type: "object", properties, ...(required.length > 0 && { required }) }, uses };
}
