import type { JsonSchema } from "../../schema/schema.ts";
import { isObject, type JsonObject } from "../../util/json.ts";
import { carryMap, entryList, hasRoomForEntries, isAnything, textCodec } from "./carry.ts";
import { type Codec, setOwn } from "./codec.ts";
import { withHints } from "./describe.ts";
import { legalKeys } from "./keys.ts";
import type { At, Shaped, Shaper } from "./shaper.ts";
import { admitsNull } from "./types.ts";
import { withNull } from "./unions.ts";

/** One property on its way: `key` is its name in the original, `name` the vendor's. */
interface Member {
  readonly key: string;
  readonly name: string;
  readonly codec?: Codec;
  readonly isRequired: boolean;
  /** What stands for "not given" where every property has to be there. */
  readonly absent?: unknown;
  readonly isAbsent: (value: unknown) => boolean;
}

/** Keys beside the declared ones, gathered under one name. */
interface Gathered {
  readonly name: string;
  readonly codec: Codec;
  readonly takes: (key: string) => boolean;
}

export function shapeObject(node: JsonSchema, at: At, shaper: Shaper): Shaped {
  const { rules, context } = shaper;
  const properties = isObject(node["properties"]) ? node["properties"] : {};
  const keys = Object.keys(properties);
  const rest = furtherKeys(node, keys.length, shaper, at);
  if (rest !== undefined && keys.length === 0 && !at.isRoot) return carryMap(node, rest, at, shaper);

  const required = new Set(Array.isArray(node["required"]) ? (node["required"] as string[]) : []);
  const names = legalKeys(keys, rules.legalKey);
  const packed = new Set(keys.filter((key) => !required.has(key)).slice(Math.max(0, shaper.budget.optional)));
  shaper.budget.optional -= keys.length - [...required].filter((key) => Object.hasOwn(properties, key)).length - packed.size;

  const schemas: [string, JsonSchema][] = [];
  const needed: string[] = [];
  const members: Member[] = [];
  for (const key of keys) {
    if (packed.has(key)) continue;
    const name = names.get(key)!;
    const original = properties[key] as JsonSchema;
    const place = { key, within: { key: "properties", within: at.place } };
    const shaped = shaper.shape(original, { ...at, place, depth: at.depth + 1, isRoot: false });
    const schema = name === key ? shaped.schema : withHints(shaped.schema, [`the property ${JSON.stringify(key)}`]);
    const isRequired = required.has(key);
    const member = { key, name, isRequired, ...(shaped.codec && { codec: shaped.codec }), isAbsent: () => false };
    if (isRequired || rules.absence !== "null") {
      const nullIsAbsent = rules.nullIsAbsent === true && !isRequired && !admitsNull(shaped.schema, shaper.definitions);
      members.push(nullIsAbsent ? { ...member, isAbsent: isNull } : member);
      schemas.push([name, schema]);
      if (isRequired) needed.push(name);
    } else {
      const optional = withAbsence(schema, shaped.schema, shaper);
      members.push({ ...member, absent: optional.absent, isAbsent: optional.isAbsent });
      schemas.push([name, optional.schema]);
      needed.push(name);
    }
  }
  const gathered: Gathered[] = [];
  const taken = new Set(schemas.map(([name]) => name));
  if (packed.size > 0) {
    const name = freeName("more_properties", taken);
    const known = Object.fromEntries([...packed].map((key) => [key, properties[key]]));
    schemas.push([
      name,
      withHints({ type: "string" }, [
        `a JSON object, written as JSON text, with any of these keys: ${[...packed].join(", ")}`,
        ...brief(known),
      ]),
    ]);
    needed.push(name);
    gathered.push({ name, codec: textCodec, takes: (key) => packed.has(key) });
    context.lose(at.place, "properties", `${packed.size} optional properties are carried as JSON text, because the vendor allows few`);
  }
  if (rest !== undefined) {
    const name = freeName("additional_properties", taken);
    const list = isAnything(rest) || !hasRoomForEntries(at, shaper) ? undefined : entryList(rest, { ...at, depth: at.depth + 1 }, shaper);
    schemas.push([
      name,
      withHints(list?.schema ?? { type: "string" }, [
        list ? "further keys and their values" : "further keys: a JSON object, written as JSON text",
      ]),
    ]);
    needed.push(name);
    gathered.push({ name, codec: list?.codec ?? textCodec, takes: (key) => !Object.hasOwn(properties, key) });
  }
  const open = openValues(node, at, shaper);
  const isSame =
    !rules.closed && open?.codec === undefined && gathered.length === 0 && schemas.every(([name, schema]) => properties[name] === schema);
  const { additionalProperties: _rest, ...said } = node;
  const schema: JsonSchema = isSame
    ? node
    : {
        ...(rules.closed || rules.maps === "carry" ? said : node),
        properties: Object.fromEntries(schemas),
        ...((needed.length > 0 || rules.absence === "null") && { required: needed }),
        ...(rules.closed && { additionalProperties: false }),
        ...(open && { additionalProperties: open.schema }),
      };
  const isPlain =
    gathered.length === 0 &&
    open?.codec === undefined &&
    members.every((member) => member.codec === undefined && member.name === member.key && (member.isRequired || !rules.nullIsAbsent));
  return isPlain && !rules.closed
    ? { schema }
    : { schema, codec: objectCodec(members, gathered, dropsUndeclared(node, rest, shaper) ? "drop" : open?.codec) };
}

/** The schema of keys beside the declared ones, where they have to be carried apart. */
function furtherKeys(node: JsonSchema, declared: number, { rules, context }: Shaper, at: At): JsonSchema | undefined {
  const said = node["additionalProperties"];
  if (rules.maps !== "carry" || said === false) return undefined;
  if (isObject(said)) {
    if (rules.closed || declared === 0) return said;
    context.lose(at.place, "additionalProperties", "dropped");
    return undefined;
  }
  if (declared === 0 && !at.isRoot) return {};
  if (rules.undeclared === "carry") return {};
  if (rules.closed) context.lose(at.place, "additionalProperties", "undeclared keys cannot be given");
  return undefined;
}

/** Where free keys stay free, their values may still need translating. */
function openValues(node: JsonSchema, at: At, shaper: Shaper): Shaped | undefined {
  const values = node["additionalProperties"];
  if (shaper.rules.maps === "carry" || !isObject(values)) return undefined;
  return shaper.shape(values, { ...at, place: { key: "additionalProperties", within: at.place }, depth: at.depth + 1, isRoot: false });
}

function dropsUndeclared(node: JsonSchema, rest: JsonSchema | undefined, { rules }: Shaper): boolean {
  return rules.closed === true && rest === undefined && node["additionalProperties"] === undefined;
}

/** Lets "not given" be said: by null, or, where null is a value of its own, by { omit: true }. */
function withAbsence(
  schema: JsonSchema,
  shaped: JsonSchema,
  shaper: Shaper,
): { schema: JsonSchema; absent: unknown; isAbsent: (value: unknown) => boolean } {
  if (!admitsNull(shaped, shaper.definitions)) return { schema: orNull(schema), absent: null, isAbsent: isNull };
  const marker = {
    type: "object",
    properties: { omit: { type: "boolean", enum: [true] } },
    required: ["omit"],
    additionalProperties: false,
  };
  const { description, title, ...said } = schema;
  const branches = Array.isArray(said["anyOf"]) ? said["anyOf"] : [said];
  const union = { ...(title !== undefined && { title }), ...(description !== undefined && { description }), anyOf: [...branches, marker] };
  return {
    schema: withHints(union, ['{"omit": true} leaves it out']),
    absent: { omit: true },
    isAbsent: (value) => isObject(value) && value["omit"] === true && Object.keys(value).length === 1,
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema["anyOf"])) return { ...schema, anyOf: [...schema["anyOf"], { type: "null" }] };
  const { type } = schema;
  if (type !== undefined && type !== "object" && type !== "array") return withNull(schema);
  const { description, ...said } = schema;
  return { ...(description !== undefined && { description }), anyOf: [said, { type: "null" }] };
}

function objectCodec(members: readonly Member[], gathered: readonly Gathered[], undeclared: Codec | "drop" | undefined): Codec {
  const byKey = new Map(members.map((member) => [member.key, member]));
  const byName = new Map(members.map((member) => [member.name, member]));
  return {
    encode(value) {
      if (!isObject(value)) return value;
      const encoded: JsonObject = {};
      const apart = gathered.map((): JsonObject => ({}));
      for (const { key, name, codec, absent } of members) {
        if (Object.hasOwn(value, key)) setOwn(encoded, name, codec === undefined ? value[key] : codec.encode(value[key]));
        else if (absent !== undefined) setOwn(encoded, name, absent);
      }
      for (const key of Object.keys(value)) {
        if (byKey.has(key)) continue;
        const index = gathered.findIndex((group) => group.takes(key));
        if (index >= 0) setOwn(apart[index]!, key, value[key]);
        else if (undeclared !== "drop") setOwn(encoded, key, undeclared === undefined ? value[key] : undeclared.encode(value[key]));
      }
      gathered.forEach((group, index) => setOwn(encoded, group.name, group.codec.encode(apart[index])));
      return encoded;
    },
    decode(value) {
      if (!isObject(value)) return value;
      const decoded: JsonObject = {};
      for (const key of Object.keys(value)) {
        const group = gathered.find(({ name }) => name === key);
        const opened =
          group !== undefined && (Array.isArray(value[key]) || typeof value[key] === "string") ? group.codec.decode(value[key]) : undefined;
        if (isObject(opened)) {
          for (const inner of Object.keys(opened)) setOwn(decoded, inner, opened[inner]);
          continue;
        }
        const member = byName.get(key) ?? byKey.get(key);
        if (member === undefined) setOwn(decoded, key, typeof undeclared === "object" ? undeclared.decode(value[key]) : value[key]);
        else if (!member.isAbsent(value[key]))
          setOwn(decoded, member.key, member.codec === undefined ? value[key] : member.codec.decode(value[key]));
      }
      return decoded;
    },
  };
}

function isNull(value: unknown): boolean {
  return value === null;
}

function brief(schemas: JsonObject): string[] {
  const text = JSON.stringify(schemas);
  return text.length <= 1_000 ? [`their schemas: ${text}`] : [];
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`;
  taken.add(name);
  return name;
}
