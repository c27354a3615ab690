import { isObject, type JsonObject, nearestNames } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import type { Provider } from "./provider.ts";
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
  checkFields(provider, providerFields, { provider: nameOf(provider), path: "" });
  checkNames(provider);
  const { wire, limits, schema, rules, strict } = provider;
  const made: Provider<Name, Shapes> = Object.freeze({
    ...provider,
    wire: Object.freeze({ ...wire }),
    limits: Object.freeze({ ...limits }),
    schema: Object.freeze({ ...schema }),
    rules: Object.freeze([...rules]),
    ...(strict !== undefined && {
      strict: Object.freeze({ ...strict, schema: Object.freeze({ ...strict.schema }), rules: Object.freeze([...strict.rules]) }),
    }),
  });
  defined.add(made);
  return made;
}

/** What a field has to be, in words, and whether a value is that. */
interface FieldCheck {
  readonly is: string;
  readonly test: (value: unknown) => boolean;
  readonly optional?: true;
  /** The fields inside, where the field is an object. */
  readonly fields?: Fields;
}

type Fields = Readonly<Record<string, FieldCheck>>;

const text: FieldCheck = { is: "a text that is not empty", test: (value) => typeof value === "string" && value !== "" };
const flag: FieldCheck = { is: "true or false", test: (value) => typeof value === "boolean", optional: true };
const count: FieldCheck = { is: "a whole number of 1 or more", test: (value) => Number.isInteger(value) && (value as number) > 0 };
const amount: FieldCheck = { is: "a whole number of 0 or more", test: (value) => Number.isInteger(value) && (value as number) >= 0 };
const method: FieldCheck = { is: "a function", test: (value) => typeof value === "function" };
const passes: FieldCheck = { is: "a list of functions", test: (value) => isListOf(value, (pass) => typeof pass === "function") };
const rules: FieldCheck = {
  is: "a list of rules, each { whole(schema, report) } or { node(node, report, root) }",
  test: (value) =>
    isListOf(value, (rule) => isObject(rule) && [rule["whole"], rule["node"]].filter((part) => typeof part === "function").length === 1),
};

const schema: FieldCheck = objectWith({
  passes,
  shape: optional({ is: "an object", test: isObject }),
  needsShape: optional(method),
  finalPasses: optional(passes),
  start: optional({ is: '"normal" or "as-written"', test: (value) => value === "normal" || value === "as-written" }),
  normalizeFor: optional({ is: "a list of keywords", test: (value) => isListOf(value, (word) => typeof word === "string") }),
});

/** A name gets up to 33 characters behind it where it would be illegal or taken, and should still begin with some of its own. */
const leastNameLength = 40;

const providerFields: Fields = {
  name: text,
  vendor: optional(text),
  wire: objectWith({
    declare: method,
    frame: optional(method),
    readCalls: method,
    isReply: optional(method),
    writeResults: method,
    writeChoice: method,
    sdkIsCamelCase: flag,
    toolSearch: optional(objectWith({ tool: { is: "an object", test: isObject }, writeFound: method })),
  }),
  limits: objectWith({
    // Such flags keep a position from one test to the next.
    name: { is: "a regular expression without the flags g and y", test: (value) => value instanceof RegExp && !/[gy]/.test(value.flags) },
    nameLength: {
      is: `a whole number of ${leastNameLength} or more`,
      test: (value) => Number.isInteger(value) && (value as number) >= leastNameLength,
    },
    tools: optional(count),
    strict: optional(objectWith({ tools: amount, optional: amount, unions: amount })),
  }),
  schema,
  rules,
  strict: optional(objectWith({ schema, rules, byDefault: flag })),
  aliases: flag,
};

interface Within {
  readonly provider: string;
  /** "limits." inside the field `limits`. */
  readonly path: string;
}

function checkFields(given: unknown, fields: Fields, { provider, path }: Within): void {
  if (!isObject(given)) throw fault(`${provider} must be an object with ${Object.keys(fields).join(", ")}.`);
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(fields, key)) continue;
    const [near] = nearestNames(key, Object.keys(fields), 1);
    throw fault(
      `${provider} has the unknown field "${path}${key}".${near === undefined ? ` Known fields: ${Object.keys(fields).join(", ")}.` : ` Did you mean "${path}${near}"?`}`,
    );
  }
  for (const [key, check] of Object.entries(fields)) {
    const value = Object.hasOwn(given, key) ? (given as JsonObject)[key] : undefined;
    if (value === undefined && check.optional === true) continue;
    if (!check.test(value))
      throw fault(`${provider}: "${path}${key}" must be ${check.is}${value === undefined ? ", and is missing" : ""}.`);
    if (check.fields !== undefined) checkFields(value, check.fields, { provider, path: `${path}${key}.` });
  }
}

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

function objectWith(fields: Fields): FieldCheck {
  return { is: `an object with ${Object.keys(fields).join(", ")}`, test: isObject, fields };
}

function optional(check: FieldCheck): FieldCheck {
  return { ...check, optional: true };
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function fault(message: string): ToolError {
  return new ToolError("CONFIG_INVALID", message);
}
