import type { JsonSchema } from "@toolrack/json-schema";
import { hasOwn, isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { decodeUri } from "../../util/decode-uri.ts";

/** The declared names of the objects at one position of an input, and the plans below them. */
export interface NamePlan {
  /** The plan below each declared name; undefined if nothing there needs renaming. */
  readonly declared: ReadonlyMap<string, NamePlan | undefined>;
  /** The declared names without a plan below. An input with only these needs no renaming. */
  readonly plain: ReadonlySet<string>;
  /** The words of each declared name, undefined if two names have the same words. Empty for free-form maps, whose keys are data. */
  readonly byWords: ReadonlyMap<string, string | undefined>;
  /** The plan for the items of an array at this position. */
  readonly items: NamePlan | undefined;
}

/** Undefined if no name has another spelling, as names of a single word. */
export function toNamePlan(schema: JsonSchema): NamePlan | undefined {
  const planning: Planning = { root: schema, ids: new Map(), plans: new Map(), unfilled: [] };
  const plan = planOf([schema], planning);
  // A loop, not a recursion: a schema can be nested deeper than the stack.
  for (const { declared, plain, children, arrays, draft } of planning.unfilled) {
    for (const [name, schemas] of children) {
      const below = planOf(schemas, planning);
      declared.set(name, below);
      if (below === undefined) plain.add(name);
    }
    draft.items = planOf(arrays, planning);
  }
  const hasSpellings = [...planning.plans.values()].some(({ byWords }) => [...byWords.keys()].some((words) => words.includes("_")));
  return hasSpellings ? plan : undefined;
}

/** "messageURL" → "message_url"; "old_text_1" and "oldText1" → "old_text_1" */
export function toWords(name: string): string {
  return name.replace(/[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])|[A-Za-z](?=[0-9])/g, "$&_").toLowerCase();
}

/** "old_text_1" → "oldText1" */
export function toCamelCase(name: string): string {
  return toWords(name).replace(/(?<=[a-z0-9])_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

interface Planning {
  readonly root: JsonSchema;
  readonly ids: Map<object, number>;
  /** By the ids of the schemas at a position, so that a recursive schema gives a recursive plan. */
  readonly plans: Map<string, NamePlan>;
  readonly unfilled: Unfilled[];
}

interface Unfilled {
  readonly draft: { items: NamePlan | undefined };
  readonly declared: Map<string, NamePlan | undefined>;
  readonly plain: Set<string>;
  readonly children: ReadonlyMap<string, readonly unknown[]>;
  readonly arrays: readonly unknown[];
}

/** Limits the memory for a schema that multiplies its own branches; no ordinary schema comes near. */
const maxPlans = 5_000;

/** The plan for a position where any of the schemas may apply. The plans below are filled in later. */
function planOf(schemas: readonly unknown[], planning: Planning): NamePlan | undefined {
  const parts = partsOf(schemas, planning.root);
  const key = keyOf(parts, planning.ids);
  const known = planning.plans.get(key);
  if (known !== undefined || planning.plans.size >= maxPlans) return known;

  const children = new Map<string, unknown[]>();
  const arrays: unknown[] = [];
  let isMap = false;
  for (const part of parts) {
    const properties = own(part, "properties");
    if (isObject(properties)) for (const name of Object.keys(properties)) append(children, name, properties[name]);
    for (const items of [own(part, "items"), own(part, "prefixItems")].flat()) if (isObject(items)) arrays.push(items);
    isMap ||= isObject(own(part, "additionalProperties")) || isObject(own(part, "patternProperties"));
  }
  if (children.size === 0 && arrays.length === 0) return undefined;
  const declared = new Map<string, NamePlan | undefined>();
  const plain = new Set<string>();
  const draft = { declared, plain, byWords: isMap ? new Map() : wordsOf(children.keys()), items: undefined as NamePlan | undefined };
  planning.plans.set(key, draft);
  planning.unfilled.push({ draft, declared, plain, children, arrays });
  return draft;
}

/** The schemas, their references within the document, and the branches of their unions. */
function partsOf(schemas: readonly unknown[], root: JsonSchema): ReadonlySet<JsonObject> {
  const parts = new Set<JsonObject>();
  const add = (schema: unknown): void => void (isObject(schema) && parts.add(schema));
  schemas.forEach(add);
  for (const part of parts) {
    // Iterating a Set includes what is added meanwhile.
    for (const keyword of ["allOf", "anyOf", "oneOf"]) {
      const branches = own(part, keyword);
      if (Array.isArray(branches)) branches.forEach(add);
    }
    add(own(part, "then"));
    add(own(part, "else"));
    const reference = own(part, "$ref");
    if (typeof reference === "string" && reference.startsWith("#")) add(atPointer(root, reference.slice(1)));
  }
  return parts;
}

/** "/$defs/Node" in the document; undefined for anchors and missing definitions. */
function atPointer(root: JsonSchema, pointer: string): unknown {
  let found: unknown = root;
  for (const part of pointer.split("/").slice(1)) {
    const key = decodeUri(part).replaceAll("~1", "/").replaceAll("~0", "~");
    found = typeof found === "object" && found !== null && hasOwn(found, key) ? (found as JsonObject)[key] : undefined;
  }
  return pointer === "" || pointer.startsWith("/") ? found : undefined;
}

function own(schema: JsonObject, keyword: string): unknown {
  return hasOwn(schema, keyword) ? schema[keyword] : undefined;
}

function append(lists: Map<string, unknown[]>, name: string, value: unknown): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [value]);
  else list.push(value);
}

function wordsOf(names: Iterable<string>): Map<string, string | undefined> {
  const byWords = new Map<string, string | undefined>();
  for (const name of names) {
    const words = toWords(name);
    byWords.set(words, byWords.has(words) ? undefined : name);
  }
  return byWords;
}

function keyOf(parts: ReadonlySet<object>, ids: Map<object, number>): string {
  const numbers: number[] = [];
  for (const part of parts) {
    let id = ids.get(part);
    if (id === undefined) ids.set(part, (id = ids.size));
    numbers.push(id);
  }
  return numbers.sort((a, b) => a - b).join();
}
