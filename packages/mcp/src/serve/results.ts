import { type Era, metaKeys, type JsonObject, type ServerInfo } from "../wire/protocol.ts";

/** Adds to results what every result of an era has to say. */
export interface Results {
  /** `resultType` and who answers, in the modern era; the legacy era has neither. */
  complete(era: Era, fields: JsonObject): string;
  as(resultType: string, fields: JsonObject): string;
  /** As `complete`, for a result that may be cached for a while. */
  cacheable(era: Era, fields: JsonObject, scope: CacheScope): string;
  /** What follows the fields of a complete result in JSON that is put together by hand: `,"resultType":…}`. */
  tail(era: Era): string;
  cacheFields(era: Era, scope: CacheScope): JsonObject;
}

/** "public" results may be shared by caches between users, even of an endpoint with sign-in. */
export type CacheScope = "public" | "private";

export function createResults(serverInfo: ServerInfo, ttlMs: number): Results {
  const as = (resultType: string, fields: JsonObject): string =>
    JSON.stringify({ ...fields, resultType, _meta: { ...(fields["_meta"] as object | undefined), [metaKeys.serverInfo]: serverInfo } });
  const modernTail = `,"resultType":"complete","_meta":${JSON.stringify({ [metaKeys.serverInfo]: serverInfo })}}`;
  const complete = (era: Era, fields: JsonObject): string => (era === "modern" ? as("complete", fields) : JSON.stringify(fields));
  const cacheFields = (era: Era, scope: CacheScope): JsonObject => (era === "modern" ? { ttlMs, cacheScope: scope } : {});
  return {
    complete,
    as,
    cacheFields,
    cacheable: (era, fields, scope) => complete(era, { ...fields, ...cacheFields(era, scope) }),
    tail: (era) => (era === "modern" ? modernTail : "}"),
  };
}
