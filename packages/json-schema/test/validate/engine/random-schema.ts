import fc from "fast-check";

export interface RandomSchemas {
  readonly schema: fc.Arbitrary<Record<string, unknown>>;
  readonly value: fc.Arbitrary<unknown>;
  /** What JSON cannot hold but a program can hand over: undefined, NaN, functions, gaps in lists, inherited properties. */
  readonly oddValue: fc.Arbitrary<unknown>;
}

/**
 * Schemas and values over the same few names and leaves, so that they often meet.
 * The schemas are of draft 2020-12 and use every keyword but those about identity (`$id`, `$anchor`, `$dynamicRef`). Definitions
 * refer only to later ones, and the root to itself only from below a property or an item, so that no check is endless.
 */
export function randomSchemas(names: readonly string[]): RandomSchemas {
  const name = fc.constantFrom(...names);
  const value = randomValue(name, leaves, (object) => object);
  const oddValue = fc.boolean().chain((inherits) => randomValue(name, [...leaves, ...oddLeaves], inherits ? inheriting : bare));
  const schema = fc
    .tuple(schemaWith(["#/$defs/a", "#/$defs/b"], name, value), schemaWith(["#/$defs/b"], name, value), schemaWith([], name, value))
    .map(([root, a, b]) => ({ ...(typeof root === "object" ? root : { allOf: [root] }), $defs: { a, b } }));
  return { schema, value, oddValue };
}

const leaves: readonly unknown[] = [null, true, false, 0, 1, -1, 2, 6, 1.5, 100, "", "a", "ab", "abc", "😀😀", "2026-01-31"];
const oddLeaves: readonly unknown[] = [
  undefined,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "\ud800",
  Symbol("s"),
  () => "a",
  Object.assign([], { 1: 1 }),
  new Date(0),
];

const inheriting = (object: object): object => Object.setPrototypeOf(object, { a: 1, foo: "a" });
const bare = (object: object): object => Object.setPrototypeOf(object, null);

function randomValue(name: fc.Arbitrary<string>, from: readonly unknown[], shape: (object: object) => object): fc.Arbitrary<unknown> {
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom(...from),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(name, tie("value"), { maxKeys: 5, noNullPrototype: true }).map(shape),
    ),
  })).value;
}

type Schema = boolean | Record<string, unknown>;

function schemaWith(references: readonly string[], name: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>): fc.Arbitrary<Schema> {
  return fc.letrec<{ schema: Schema; below: Schema }>((tie) => {
    const part = tie("schema");
    const below = tie("below");
    const count = fc.nat({ max: 3 });
    const limit = fc.integer({ min: -2, max: 6 });
    const names = fc.uniqueArray(name, { maxLength: 3 });
    const parts = fc.array(part, { minLength: 1, maxLength: 3 });
    const map = <Part>(of: fc.Arbitrary<Part>): fc.Arbitrary<Record<string, Part>> =>
      fc.dictionary(name, of, { maxKeys: 4, noNullPrototype: true });
    const type = fc.constantFrom("null", "boolean", "object", "array", "number", "string", "integer");
    const keywords: Record<string, fc.Arbitrary<unknown>> = {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      enum: fc.array(value, { minLength: 1, maxLength: 4 }),
      const: value,
      minimum: limit,
      maximum: limit,
      exclusiveMinimum: limit,
      exclusiveMaximum: limit,
      multipleOf: fc.integer({ min: 1, max: 3 }),
      minLength: count,
      maxLength: count,
      pattern: fc.constantFrom("a", "^b", "c$", "^[a-b]+$", "^(a|ab)*$", "."),
      format: fc.constantFrom("date", "nobody-knows"),
      required: names,
      properties: map(below),
      patternProperties: fc.dictionary(fc.constantFrom("a", "^c", "o"), below, { maxKeys: 2, noNullPrototype: true }),
      additionalProperties: below,
      propertyNames: part,
      minProperties: count,
      maxProperties: count,
      dependentRequired: map(names),
      dependentSchemas: map(part),
      unevaluatedProperties: below,
      items: below,
      prefixItems: fc.array(below, { minLength: 1, maxLength: 3 }),
      contains: part,
      minContains: count,
      maxContains: count,
      minItems: count,
      maxItems: count,
      uniqueItems: fc.boolean(),
      unevaluatedItems: below,
      allOf: parts,
      anyOf: parts,
      oneOf: parts,
      not: part,
      if: part,
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword
      then: part,
      else: part,
      ...(references.length > 0 && { $ref: fc.constantFrom(...references) }),
    };
    const some = fc
      .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 4 })
      .chain((chosen) => fc.record(Object.fromEntries(chosen.map((keyword) => [keyword, keywords[keyword]!])), { noNullPrototype: true }));
    const leaf = type.map((only): Schema => ({ type: only }));
    return {
      schema: fc.oneof({ depthSize: "small", withCrossShrink: true }, leaf, fc.boolean(), some),
      below: fc.oneof({ weight: 8, arbitrary: part }, { weight: 1, arbitrary: fc.constant<Schema>({ $ref: "#" }) }),
    };
  }).schema;
}
