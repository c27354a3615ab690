import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { setOwn } from "../document/json.ts";

const usual = ["items", "data", "results", "value", "values", "records", "entries", "list", "content"];

/** The pages as one answer: lists one after another. Of objects the last one counts, with the items of all of them. Undefined if there is no list. */
export function joinPages(first: unknown, next: unknown): unknown {
  if (Array.isArray(first) && Array.isArray(next)) return [...(first as unknown[]), ...(next as unknown[])];
  if (!isObject(first) || !isObject(next)) return undefined;
  const key = listIn(first);
  if (key === undefined || !Array.isArray(next[key])) return undefined;
  const joined: JsonObject = {};
  for (const name of Object.keys(next))
    setOwn(joined, name, name === key ? [...(first[key] as unknown[]), ...(next[key] as unknown[])] : next[name]);
  return joined;
}

/** The name of the list in an answer: a usual one, or the only one. */
export function listIn(data: JsonObject): string | undefined {
  const lists = Object.keys(data).filter((key) => Array.isArray(data[key]));
  return usual.find((name) => lists.includes(name)) ?? (lists.length === 1 ? lists[0] : undefined);
}
