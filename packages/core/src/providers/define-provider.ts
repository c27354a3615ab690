import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import {
  checkFields,
  type FieldKind,
  type FieldsOf,
  flag,
  listOf,
  method,
  objectWith,
  oneOf,
  required,
  someText,
} from "../util/check-fields.ts";
import type { Provider, ProviderLimits, ProviderSchema, ProviderWire, StrictMode } from "./provider.ts";
import type { WireShapes } from "./shapes/shapes.ts";
import { wireName } from "./wire/names.ts";

const defined = new WeakSet<object>();

/**
 * Makes a vendor that every function takes where it takes the name of a built-in one: `exportTools(tools, acme)`, `adaptSchema(schema, acme)`.
 * The value is frozen. Throws CONFIG_INVALID and names the field if one is missing, wrong or unknown.
 */
export function defineProvider<const Name extends string, Shapes extends WireShapes = WireShapes>(
  provider: Provider<Name, Shapes>,
): Provider<Name, Shapes> {
  if (defined.has(provider)) return provider;
  checkFields(provider, providerFields, { subject: nameOf(provider), word: "field" });
  checkNames(provider);
  const { strict } = provider;
  const made: Provider<Name, Shapes> = Object.freeze({
    ...provider,
    wire: Object.freeze({ ...provider.wire }),
    limits: Object.freeze({ ...provider.limits }),
    schema: Object.freeze({ ...provider.schema }),
    rules: Object.freeze([...provider.rules]),
    ...(strict !== undefined && {
      strict: Object.freeze({ ...strict, schema: Object.freeze({ ...strict.schema }), rules: Object.freeze([...strict.rules]) }),
    }),
  });
  defined.add(made);
  return made;
}

const count: FieldKind = { is: "a whole number of 1 or more", test: (value) => Number.isInteger(value) && (value as number) > 0 };
const amount: FieldKind = { is: "a whole number of 0 or more", test: (value) => Number.isInteger(value) && (value as number) >= 0 };
const object: FieldKind = { is: "an object", test: isObject };
const passes = listOf("functions", method.test);
const rules = listOf(
  "rules, each { whole(schema, report) } or { node(node, report, root) }",
  (rule) => isObject(rule) && [rule["whole"], rule["node"]].filter((part) => typeof part === "function").length === 1,
);

const schema = objectWith({
  passes: required(passes),
  shape: object,
  needsShape: method,
  finalPasses: passes,
  start: oneOf("normal", "as-written"),
  normalizeFor: listOf("keywords", (word) => typeof word === "string"),
} satisfies FieldsOf<ProviderSchema>);

/** A name gets up to 33 characters behind it where it would be illegal or taken, and should still begin with some of its own. */
const leastNameLength = 40;

const wire = objectWith({
  declare: required(method),
  frame: method,
  readCalls: required(method),
  isReply: method,
  readFailure: method,
  writeResults: required(method),
  writeChoice: required(method),
  sdkIsCamelCase: flag,
  toolSearch: objectWith({ tool: required(object), writeFound: required(method) }),
} satisfies FieldsOf<ProviderWire>);

const limits = objectWith({
  // Such flags keep a position from one test to the next.
  name: required({
    is: "a regular expression without the flags g and y",
    test: (value) => value instanceof RegExp && !/[gy]/.test(value.flags),
  }),
  nameLength: required({
    is: `a whole number of ${leastNameLength} or more`,
    test: (value) => Number.isInteger(value) && (value as number) >= leastNameLength,
  }),
  tools: count,
  strict: objectWith({ tools: required(amount), optional: required(amount), unions: required(amount) }),
} satisfies FieldsOf<ProviderLimits>);

const providerFields: FieldsOf<Provider> = {
  name: required(someText),
  vendor: someText,
  wire: required(wire),
  limits: required(limits),
  schema: required(schema),
  rules: required(rules),
  strict: objectWith({ schema: required(schema), rules: required(rules), byDefault: flag } satisfies FieldsOf<StrictMode>),
  aliases: flag,
};

/** Illegal names are made legal with letters, digits, "_" and "-"; the vendor has to accept the outcome. */
function checkNames({ name, limits }: Provider): void {
  for (const example of ["files.read", "7 ä/b", "a.".repeat(200)]) {
    const made = wireName(example, limits);
    if (limits.name.test(made) && made.length <= limits.nameLength) continue;
    throw fault(
      `Provider "${name}": "limits.name" must accept names of letters, digits, "_" and "-" with up to "limits.nameLength" characters, such as "${made}".`,
    );
  }
}

function nameOf(provider: unknown): string {
  const name = isObject(provider) ? provider["name"] : undefined;
  return typeof name === "string" && name !== "" ? `Provider ${JSON.stringify(name.slice(0, 64))}` : "A provider";
}

function fault(message: string): ToolError {
  return new ToolError("CONFIG_INVALID", message);
}
