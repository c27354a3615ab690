import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { own, setOwn } from "../document/json.ts";

const usual = ["items", "data", "results", "value", "values", "records", "entries", "list", "content"];

/** Pages as one answer: lists one after another. Of objects the last one counts, with the items of all of them. */
export interface JoinedPages {
  /** False for what has no list like the first page, and cannot be added. Each item is moved once, however many pages there are. */
  add(page: unknown): boolean;
  data(): unknown;
}

export function joinPages(first: unknown): JoinedPages {
  const key = isObject(first) ? listIn(first) : undefined;
  const listOf = (page: unknown): unknown => (key === undefined ? page : own(page, key));
  const list = listOf(first);
  const items: unknown[] | undefined = Array.isArray(list) ? [...(list as unknown[])] : undefined;
  let last = first;
  return {
    add(page) {
      const more = listOf(page);
      if (items === undefined || !Array.isArray(more)) return false;
      for (const item of more) items.push(item);
      last = page;
      return true;
    },
    data() {
      if (items === undefined || key === undefined || !isObject(last)) return items ?? first;
      const joined: JsonObject = {};
      for (const name of Object.keys(last)) setOwn(joined, name, name === key ? items : last[name]);
      return joined;
    },
  };
}

/** The name of the list in an answer: a usual one, or the only one. */
function listIn(data: JsonObject): string | undefined {
  const lists = Object.keys(data).filter((key) => Array.isArray(data[key]));
  return usual.find((name) => lists.includes(name)) ?? (lists.length === 1 ? lists[0] : undefined);
}
