import type { JsonSchema } from "@toolrack/json-schema";
import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { withAbsence, isNull } from "./absence.ts";
import { carryMap, entryList, hasRoomForEntries, isAnything, textCodec } from "./carry.ts";
import type { Codec } from "./codec.ts";
import { withHints } from "../describe.ts";
import { legalKeys } from "./keys.ts";
import { type Gathered, type Member, objectCodec } from "./object-codec.ts";
import type { At, Shaped, Shaper } from "./shaper.ts";
import { admitsNull } from "../types.ts";

/** An object under construction: its properties in the vendor's form, and how values get there. */
interface Draft {
  readonly properties: [string, JsonSchema][];
  readonly required: string[];
  readonly members: Member[];
  readonly gathered: Gathered[];
}

/** An object: names made legal, absence made expressible, free keys gathered, all as the vendor's rules ask. */
export function shapeObject(node: JsonSchema, at: At, shaper: Shaper): Shaped {
  const { rules } = shaper;
  const properties = isObject(node["properties"]) ? node["properties"] : {};
  const keys = Object.keys(properties);
  const rest = furtherKeys(node, keys.length, shaper, at);
  if (rest !== undefined && keys.length === 0 && !at.isRoot) return carryMap(node, rest, at, shaper);

  const required = new Set(Array.isArray(node["required"]) ? (node["required"] as string[]) : []);
  const packed = overBudget(keys, required, shaper);
  const draft: Draft = { properties: [], required: [], members: [], gathered: [] };
  const names = legalKeys(keys, rules.legalKey);
  for (const key of keys)
    if (!packed.has(key)) addProperty(draft, key, names.get(key)!, properties[key] as JsonSchema, required.has(key), at, shaper);
  if (packed.size > 0) addPacked(draft, packed, properties, at, shaper);
  if (rest !== undefined) addFurther(draft, rest, properties, at, shaper);

  const open = openValues(node, at, shaper);
  const schema = writeObject(node, properties, draft, open?.schema, shaper);
  const undeclared: Codec | "drop" | undefined = dropsUndeclared(node, rest, shaper) ? "drop" : open?.codec;
  const isPlain =
    undeclared === undefined &&
    draft.gathered.length === 0 &&
    draft.members.every((member) => member.codec === undefined && member.name === member.key && member.isAbsent === undefined);
  return isPlain ? { schema } : { schema, codec: objectCodec(draft.members, draft.gathered, undeclared) };
}

/** The optional properties that no longer fit into what the vendor allows. */
function overBudget(keys: readonly string[], required: ReadonlySet<string>, { budget }: Shaper): ReadonlySet<string> {
  if (budget.optional === Infinity) return none;
  const optional = keys.filter((key) => !required.has(key));
  const packed = new Set(optional.slice(Math.max(0, budget.optional)));
  budget.optional -= optional.length - packed.size;
  return packed;
}

const none: ReadonlySet<string> = new Set();

function addProperty(draft: Draft, key: string, name: string, original: JsonSchema, isRequired: boolean, at: At, shaper: Shaper): void {
  const { rules } = shaper;
  const place = { key, within: { key: "properties", within: at.place } };
  const shaped = shaper.shape(original, { place, depth: at.depth + 1, opened: at.opened });
  const schema = name === key ? shaped.schema : withHints(shaped.schema, [`the property ${JSON.stringify(key)}`]);
  const { codec } = shaped;
  if (!isRequired && rules.absence === "null") {
    const optional = withAbsence(schema, admitsNull(shaped.schema, shaper.definitions));
    draft.properties.push([name, optional.schema]);
    draft.required.push(name);
    draft.members.push({ key, name, codec, absent: optional.absent, isAbsent: optional.isAbsent });
    return;
  }
  const nullIsAbsent = rules.nullIsAbsent === true && !isRequired && !admitsNull(shaped.schema, shaper.definitions);
  draft.properties.push([name, schema]);
  if (isRequired) draft.required.push(name);
  draft.members.push({ key, name, codec, absent: undefined, isAbsent: nullIsAbsent ? isNull : undefined });
}

/** Optional properties beyond the vendor's limit are sent together as JSON text. */
function addPacked(draft: Draft, packed: ReadonlySet<string>, properties: JsonObject, at: At, { context }: Shaper): void {
  const schemas = JSON.stringify(Object.fromEntries([...packed].map((key) => [key, properties[key]])));
  const hints = [`a JSON object, written as JSON text, with any of these keys: ${[...packed].join(", ")}`];
  if (schemas.length <= 1_000) hints.push(`their schemas: ${schemas}`);
  gather(draft, "more_properties", withHints({ type: "string" }, hints), textCodec, (key) => packed.has(key));
  context.lose(at.place, "properties", `${packed.size} optional properties are carried as JSON text, because the vendor allows few`);
}

/** Undeclared keys are sent as a list of entries, or as JSON text if their values may be anything. */
function addFurther(draft: Draft, rest: JsonSchema, properties: JsonObject, at: At, shaper: Shaper): void {
  const isText = isAnything(rest) || !hasRoomForEntries(at, shaper);
  const list = isText ? undefined : entryList(rest, { ...at, depth: at.depth + 1 }, shaper);
  const hint = list ? "further keys and their values" : "further keys: a JSON object, written as JSON text";
  const schema = withHints(list?.schema ?? { type: "string" }, [hint]);
  gather(draft, "additional_properties", schema, list?.codec ?? textCodec, (key) => !Object.hasOwn(properties, key));
}

function gather(draft: Draft, wanted: string, schema: JsonSchema, codec: Codec, takes: (key: string) => boolean): void {
  let name = wanted;
  for (let count = 2; draft.properties.some(([taken]) => taken === name); count++) name = `${wanted}_${count}`;
  draft.properties.push([name, schema]);
  draft.required.push(name);
  draft.gathered.push({ name, codec, takes });
}

function writeObject(node: JsonSchema, properties: JsonObject, draft: Draft, open: JsonSchema | undefined, { rules }: Shaper): JsonSchema {
  const isSame =
    !rules.closed &&
    (open === undefined || open === node["additionalProperties"]) &&
    draft.gathered.length === 0 &&
    draft.properties.every(([name, schema]) => properties[name] === schema);
  if (isSame && (rules.maps !== "carry" || !Object.hasOwn(node, "additionalProperties"))) return node;
  const written: JsonObject = { ...node, properties: Object.fromEntries(draft.properties) };
  if (rules.closed) written["additionalProperties"] = false;
  else if (open !== undefined) written["additionalProperties"] = open;
  else if (rules.maps === "carry") delete written["additionalProperties"];
  if (draft.required.length > 0 || rules.absence === "null") written["required"] = draft.required;
  else delete written["required"];
  return written;
}

/** The schema of keys beside the declared ones, where they have to be carried apart. */
function furtherKeys(node: JsonSchema, declared: number, { rules, context }: Shaper, at: At): JsonSchema | undefined {
  const said = node["additionalProperties"];
  if (rules.maps !== "carry" || said === false || (rules.plain && at.isRoot)) return undefined;
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
  return shaper.shape(values, { place: { key: "additionalProperties", within: at.place }, depth: at.depth + 1, opened: at.opened });
}

function dropsUndeclared(node: JsonSchema, rest: JsonSchema | undefined, { rules }: Shaper): boolean {
  return rules.closed === true && rest === undefined && node["additionalProperties"] === undefined;
}
