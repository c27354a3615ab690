import { canonicalJson, isObject } from "../util/json.ts";

/**
 * True when a Zod schema does no more than its JSON Schema says, as far as its definition tells: it neither transforms nor refines
 * (leaving out undeclared properties and filling in defaults apart, which we do ourselves).
 */
export function isPlainZod(schema: unknown): boolean {
  return isPlain(schema, false, new Map());
}

const leaves = ["string", "number", "int", "boolean", "null", "any", "unknown", "never", "enum", "literal"];
const wrappers = ["nullable", "optional", "nonoptional", "readonly", "default", "prefault"];
const compounds = ["array", "object", "union", "intersection", "tuple", "record"];
const plainTypes = new Set([...leaves, ...wrappers, ...compounds]);
/** Zod also fills in items that a tuple lacks, which JSON Schema has no word for. */
const alternatives = new Set(["union", "intersection", "nullable", "tuple"]);
/** Which of several objects has to be stripped or filled in cannot be told from a JSON Schema alone. */
const notInAlternatives = new Set(["object", "default", "prefault"]);

const plainChecks = new Set(["less_than", "greater_than", "multiple_of", "number_format", "min_length", "max_length", "length_equals"]);

interface Check {
  readonly check?: string;
  readonly pattern?: unknown;
}

interface Definition extends Check {
  readonly type: string;
  readonly coerce?: boolean;
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
  readonly [part: string]: unknown;
}

/** `visited` knows of each schema whether it was met as an alternative, where more is asked of it. */
function isPlain(schema: unknown, isAlternative: boolean, visited: Map<unknown, boolean>): boolean {
  const before = visited.get(schema);
  if (before === true || before === isAlternative) return true;
  visited.set(schema, isAlternative);
  const definition = isObject(schema) && isObject(schema["_zod"]) ? (schema["_zod"]["def"] as Definition | undefined) : undefined;
  if (definition === undefined || !plainTypes.has(definition.type) || definition.coerce === true) return false;
  if (isAlternative && notInAlternatives.has(definition.type)) return false;
  if (!isPlainCheck(definition) || definition.checks?.some((check) => !isPlainCheck(check._zod.def))) return false;
  if ("defaultValue" in definition && !isConstant(() => definition["defaultValue"])) return false;
  return partsOf(definition).every((part) => isPlain(part, isAlternative || alternatives.has(definition.type), visited));
}

/** A format is plain where JSON Schema has its whole pattern; flags such as "ignore case" are lost there. */
function isPlainCheck({ check, pattern }: Check): boolean {
  if (check === "string_format") return pattern instanceof RegExp && !/[ims]/.test(pattern.flags);
  return check === undefined || plainChecks.has(check);
}

/** A default may be made anew for each call. It is not if it looks the same twice and has no trace of the time in it. */
function isConstant(read: () => unknown): boolean {
  const text = canonicalJson(read());
  return text === canonicalJson(read()) && !/\d{10}/.test(text) && !text.includes(String(new Date().getFullYear()));
}

function partsOf({ element, shape, catchall, options, left, right, items, rest, keyType, valueType, innerType }: Definition): unknown[] {
  const lists = [options, items].flatMap((list) => (Array.isArray(list) ? list : []));
  const parts = [element, catchall, left, right, rest, keyType, valueType, innerType, ...lists];
  return [...parts, ...(isObject(shape) ? Object.values(shape) : [])].filter((part) => part !== undefined && part !== null);
}
