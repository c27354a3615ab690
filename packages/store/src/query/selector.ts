import { StoreError } from "../errors.ts";
import type { Breadcrumb } from "../record/breadcrumb.ts";
import { isObject } from "../record/json.ts";
import { readTag } from "../record/tags.ts";
import { type Condition, readCondition } from "./condition.ts";

/** Which records are meant; every part that is given must hold. */
export interface Selector {
  readonly schema_name?: string;
  /** One tag; the same as `allTags` with one entry. */
  readonly tag?: string;
  /** Has at least one of these. */
  readonly anyTags?: readonly string[];
  /** Has all of these. */
  readonly allTags?: readonly string[];
  /** Has none of these. */
  readonly noneTags?: readonly string[];
  /** Fields compared: `{ path: "context.price", op: "lt", value: 10 }`; all must hold. */
  readonly where?: readonly Condition[];
}

/** A selector, checked. */
export interface ReadSelector {
  readonly schemaName: string | undefined;
  readonly allTags: readonly string[];
  /** Empty means any, or none. */
  readonly anyTags: readonly string[];
  readonly noneTags: readonly string[];
  /** Whether there are conditions beyond schema and tags. */
  readonly hasConditions: boolean;
  meets(record: Breadcrumb): boolean;
}

export const selectorFields: readonly string[] = ["schema_name", "tag", "anyTags", "allTags", "noneTags", "where"];

/** Checks a selector once. What is unknown in it throws QUERY_INVALID; it never matches everything by mistake. */
export function readSelector(selector: Selector = {}, alsoKnown: readonly string[] = []): ReadSelector {
  if (!isObject(selector)) throw new StoreError("QUERY_INVALID", "A selector must be an object.");
  const unknown = Object.keys(selector).find((key) => !selectorFields.includes(key) && !alsoKnown.includes(key));
  if (unknown !== undefined) {
    throw new StoreError(
      "QUERY_INVALID",
      `A query has no "${unknown.slice(0, 80)}". Known are ${[...selectorFields, ...alsoKnown].join(", ")}.`,
    );
  }
  const { schema_name } = selector;
  if (schema_name !== undefined && typeof schema_name !== "string") throw new StoreError("QUERY_INVALID", "schema_name must be a text.");
  const allTags = [
    ...new Set([...readTagList(selector.allTags, "allTags"), ...(selector.tag === undefined ? [] : [queryTag(selector.tag)])]),
  ];
  const anyTags = readTagList(selector.anyTags, "anyTags");
  if (selector.anyTags !== undefined && anyTags.length === 0)
    throw new StoreError("QUERY_INVALID", "anyTags is empty: nothing could match. Leave it out.");
  const noneTags = readTagList(selector.noneTags, "noneTags");
  if (selector.where !== undefined && (!Array.isArray(selector.where) || selector.where.length > 64))
    throw new StoreError("QUERY_INVALID", "where must be a list of at most 64 { path, op, value }.");
  const conditions = (selector.where ?? []).map(readCondition);
  return {
    schemaName: schema_name,
    allTags,
    anyTags,
    noneTags,
    hasConditions: conditions.length > 0,
    meets: (record) =>
      (schema_name === undefined || record.schema_name === schema_name) &&
      allTags.every((tag) => record.tags.includes(tag)) &&
      (anyTags.length === 0 || anyTags.some((tag) => record.tags.includes(tag))) &&
      !noneTags.some((tag) => record.tags.includes(tag)) &&
      conditions.every((test) => test(record)),
  };
}

function readTagList(tags: unknown, field: string): readonly string[] {
  if (tags === undefined) return [];
  if (!Array.isArray(tags) || tags.length > 64) throw new StoreError("QUERY_INVALID", `${field} must be a list of at most 64 tags.`);
  return [...new Set(tags.map(queryTag))];
}

function queryTag(tag: unknown): string {
  try {
    return readTag(tag);
  } catch (error) {
    throw new StoreError("QUERY_INVALID", (error as Error).message);
  }
}
