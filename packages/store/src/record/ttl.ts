import { StoreError } from "../errors.ts";
import type { Ttl } from "./breadcrumb.ts";
import { isObject } from "./json.ts";

/** Reads a time to live: { at }, { afterMs }, { reads }, or several of them. */
export function readTtl(ttl: unknown): Ttl | undefined {
  if (ttl === undefined) return undefined;
  if (!isObject(ttl) || Object.keys(ttl).length === 0) throw wrong("must be an object of at, afterMs, reads");
  for (const [key, value] of Object.entries(ttl)) {
    if (key === "at") {
      if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(value) || Number.isNaN(Date.parse(value))) {
        throw wrong('.at must be a time with its zone, such as "2030-01-01T00:00:00Z"');
      }
    } else if (key !== "afterMs" && key !== "reads") throw wrong(`.${key.slice(0, 40)} is not known. Known are at, afterMs, reads`);
    else if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1) throw wrong(`.${key} must be a whole number above 0`);
  }
  return Object.freeze({ ...ttl });
}

/** Milliseconds since 1970 at which a record written at `writtenAt` ends; undefined for one that no time ends. */
export function expiryOf(ttl: Ttl | undefined, writtenAt: number): number | undefined {
  const times = [...(ttl?.at === undefined ? [] : [Date.parse(ttl.at)]), ...(ttl?.afterMs === undefined ? [] : [writtenAt + ttl.afterMs])];
  return times.length === 0 ? undefined : Math.min(...times);
}

function wrong(fact: string): StoreError {
  return new StoreError("RECORD_INVALID", `ttl${fact.startsWith(".") ? "" : " "}${fact}.`);
}
