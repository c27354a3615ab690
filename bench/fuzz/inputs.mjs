import fc from "fast-check";

/**
 * Inputs made from a schema: most of them as it asks for, the others broken in one place. `texts` are worth trying where a text belongs,
 * `hints` what to try first for a parameter of that name. No input carries a promise: whether it is valid is for a validator to say.
 */
export function inputsOf(schema, { texts = [], hints = {} } = {}) {
  const right = valueOf(schema, { texts, hints, depth: 0, name: undefined });
  return fc.oneof({ weight: 3, arbitrary: right }, { weight: 2, arbitrary: right.chain(broken) });
}

function valueOf(schema, making) {
  if (schema === true || schema === undefined || making.depth > 6) return fc.jsonValue({ maxDepth: 2 });
  if (Object.hasOwn(schema, "const")) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined && schema.properties === undefined) return fc.oneof(...union.map((one) => valueOf(one, deeper(making))));
  const type = Array.isArray(schema.type) ? schema.type[0] : (schema.type ?? (schema.properties === undefined ? undefined : "object"));
  switch (type) {
    case "string":
      return textOf(schema, making);
    case "integer":
      return integerOf(Math.ceil(lowest(schema)), Math.floor(highest(schema)));
    case "number":
      return fc.double({ min: lowest(schema), max: highest(schema), noNaN: true, noDefaultInfinity: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valueOf(schema.items, deeper(making)), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      });
    case "object":
      return objectOf(schema, making);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function deeper(making, name = making.name) {
  return { ...making, depth: making.depth + 1, name };
}

/** Small ones are the likely ones. */
function integerOf(min, max) {
  return fc.oneof(fc.integer({ min, max: Math.min(max, min + 5) }), fc.integer({ min, max }));
}

function lowest({ minimum, exclusiveMinimum }) {
  return minimum ?? (exclusiveMinimum === undefined ? -1_000 : exclusiveMinimum + 1);
}

function highest(schema) {
  const high = schema.maximum ?? (schema.exclusiveMaximum === undefined ? lowest(schema) + 100_000 : schema.exclusiveMaximum - 1);
  return Math.max(high, lowest(schema));
}

function textOf({ minLength = 0, maxLength = 5_000, pattern, format }, { texts, hints, name }) {
  const fits = (text) =>
    text.length >= minLength && text.length <= maxLength && (pattern === undefined || new RegExp(pattern, "u").test(text));
  const [known, hinted] = [texts.filter(fits), (Object.hasOwn(hints, name ?? "") ? hints[name] : []).filter(fits)];
  // A pattern that a random text hardly ever fits would be waited for.
  const made =
    pattern === undefined
      ? fc.string({ minLength, maxLength: Math.min(maxLength, Math.max(minLength, 30)) })
      : fc.stringMatching(new RegExp(pattern, "u")).filter(fits);
  return fc.oneof(
    { weight: 2, arbitrary: made },
    ...(known.length === 0 ? [] : [{ weight: 3, arbitrary: fc.constantFrom(...known) }]),
    ...(hinted.length === 0 ? [] : [{ weight: 10, arbitrary: fc.constantFrom(...hinted) }]),
    ...(formats[format] === undefined ? [] : [{ weight: 10, arbitrary: formats[format] }]),
  );
}

const formats = {
  uri: fc.webUrl(),
  "uri-reference": fc.webUrl(),
  email: fc.emailAddress(),
  uuid: fc.uuid(),
  "date-time": fc.date({ noInvalidDate: true, min: new Date("1990-01-01"), max: new Date("2040-01-01") }).map((date) => date.toISOString()),
  date: fc
    .date({ noInvalidDate: true, min: new Date("1990-01-01"), max: new Date("2040-01-01") })
    .map((date) => date.toISOString().slice(0, 10)),
};

/** With what the object must have, and some of the rest. Where rules hang on one value, such as an action, it is chosen first. */
function objectOf(schema, making) {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (Object.keys(properties).length === 0) return mapOf(additionalProperties, making);
  const rules = (schema.allOf ?? []).filter((rule) => rule.if !== undefined && rule.then !== undefined);
  const subject = Object.keys(rules[0]?.if.properties ?? {})[0];
  if (subject === undefined) return fc.oneof(...casesOf(schema).map((one) => recordOf(properties, one.needs, one.without, making)));
  return valueOf(properties[subject], deeper(making, subject)).chain((chosen) => {
    const then = rules.find((rule) => rule.if.properties?.[subject]?.const === chosen)?.then ?? {};
    const without =
      then.additionalProperties === false ? Object.keys(properties).filter((name) => !Object.hasOwn(then.properties ?? {}, name)) : [];
    return recordOf({ ...properties, [subject]: { const: chosen } }, [...required, ...(then.required ?? [])], without, making);
  });
}

/** "Either these or those": what is needed, and what must be left out, in each case. */
function casesOf({ required = [], if: condition, then, else: otherwise }) {
  if (condition?.required === undefined) return [{ needs: required, without: [] }];
  return [
    { needs: [...required, ...condition.required], without: then?.not?.required ?? [] },
    { needs: [...required, ...(otherwise?.required ?? [])], without: condition.required },
  ];
}

function recordOf(properties, needs, without, making) {
  const model = Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !without.includes(name))
      .map(([name, property]) => [name, valueOf(property, deeper(making, name))]),
  );
  return fc.record(model, { requiredKeys: needs.filter((name) => Object.hasOwn(model, name)) });
}

function mapOf(values, making) {
  const value = typeof values === "object" ? valueOf(values, deeper(making)) : fc.jsonValue({ maxDepth: 2 });
  return fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), value, { maxKeys: 4 });
}

/** The input with one thing wrong: another type, a name too many or too few, a value that is no object at all. */
function broken(input) {
  const names = typeof input === "object" && input !== null ? Object.keys(input) : [];
  const name = names.length === 0 ? fc.constant("x") : fc.constantFrom(...names);
  const put = (key, value) => Object.defineProperty({ ...input }, key, { value, enumerable: true, configurable: true, writable: true });
  return fc.oneof(
    fc.tuple(name, odd).map(([key, value]) => put(key, value)),
    fc
      .tuple(fc.oneof(fc.constantFrom("__proto__", "constructor", "toString", ""), fc.string()), odd)
      .map(([key, value]) => put(key, value)),
    name.map((key) => Object.fromEntries(Object.entries(input ?? {}).filter(([other]) => other !== key))),
    odd,
  );
}

const odd = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    Number.MAX_SAFE_INTEGER,
    "",
    " ",
    "\0",
    "x".repeat(20_000),
    [],
    {},
    [[]],
    [null],
  ),
  fc.constant(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')),
  fc.constant(Array.from({ length: 500 }).reduce((inner) => [inner], "deep")),
  fc.jsonValue(),
);
