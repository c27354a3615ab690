import { both, isObject } from "@toolrack/json-schema/internal";
import { compilePattern, type JsonSchema, validatorFor } from "@toolrack/json-schema";

/** A property that a schema names. */
export interface DeclaredKey {
  readonly key: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** A kind of further key: a schema for the key, and one for its value. */
export interface OpenKey {
  readonly names: JsonSchema;
  readonly value: JsonSchema;
}

export interface ObjectKeys {
  /** In declared order; required keys that nothing declares come last. */
  readonly declared: readonly DeclaredKey[];
  readonly open: readonly OpenKey[];
  /** There are too many key patterns to combine. */
  readonly lostPatterns: number;
  /** A required key can never be present. */
  readonly impossible: boolean;
}

const maxPatterns = 4;

/** Whether an object may have keys that it does not name, when its schema says nothing about them. */
export type ExtraKeys = "explicit" | "schema";

/** Sorts what a schema says about the members of an object by key: named ones first, then kinds of further keys. */
export function keysOf(schema: JsonSchema, extraKeys: ExtraKeys): ObjectKeys {
  const properties = mapOf(schema["properties"]);
  const given = Object.entries(mapOf(schema["patternProperties"])) as [string, JsonSchema][];
  const patterns = given.slice(0, maxPatterns);
  const required = new Set(Array.isArray(schema["required"]) ? (schema["required"] as string[]) : []);
  const rest = schema["additionalProperties"];
  const names = isObject(schema["propertyNames"]) ? schema["propertyNames"] : undefined;
  const isLegal = (key: string): boolean => names === undefined || validatorFor(names).check(key);

  const declared: DeclaredKey[] = [];
  const forbidden: string[] = [];
  let impossible = false;
  for (const key of new Set([...Object.keys(properties), ...required])) {
    const matching = patterns.filter(([pattern]) => compilePattern(pattern).test(key)).map(([, inner]) => inner);
    const own = Object.hasOwn(properties, key) ? (properties[key] as JsonSchema) : matching.length === 0 ? (rest ?? {}) : {};
    const value = own === false ? undefined : matching.reduce(both, own as JsonSchema);
    if (value === undefined || isNothing(value) || !isLegal(key)) {
      forbidden.push(key);
      impossible ||= required.has(key);
    } else declared.push({ key, schema: value, required: required.has(key) });
  }

  const silent = rest === undefined && (Object.keys(properties).length > 0 || given.length > 0);
  const others = rest === false ? undefined : silent && extraKeys === "explicit" ? undefined : ((rest ?? {}) as JsonSchema);
  const open = openKeys(patterns, others, names, [...declared.map(({ key }) => key), ...forbidden]);
  return { declared, open, lostPatterns: given.length - patterns.length, impossible };
}

/** For every set of patterns: the keys that match these and no others. */
function openKeys(
  patterns: readonly [string, JsonSchema][],
  others: JsonSchema | undefined,
  names: JsonSchema | undefined,
  taken: readonly string[],
): OpenKey[] {
  const kinds: OpenKey[] = [];
  for (let chosen = (1 << patterns.length) - 1; chosen >= 0; chosen--) {
    if (chosen === 0 && others === undefined) break;
    const matched = patterns.filter((_, index) => chosen & (1 << index));
    const unmatched = patterns.filter((_, index) => !(chosen & (1 << index)));
    const excluded: JsonSchema[] = unmatched.map(([pattern]) => ({ pattern }));
    if (taken.length > 0) excluded.push({ enum: taken });
    const demands: JsonSchema[] = [{ type: "string", ...names }, ...matched.map(([pattern]) => ({ pattern }))];
    if (excluded.length > 0) demands.push({ not: excluded.length === 1 ? excluded[0] : { anyOf: excluded } });
    const value = chosen === 0 ? others! : matched.map(([, schema]) => schema).reduce(both);
    kinds.push({ names: demands.length === 1 ? demands[0]! : { allOf: demands }, value });
  }
  return kinds;
}

function isNothing(schema: JsonSchema): boolean {
  return isObject(schema["not"]) && Object.keys(schema["not"]).length === 0;
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
