import { SchemaError } from "../errors.ts";

export const draft2020 = "https://json-schema.org/draft/2020-12/schema";
export const draft07 = "http://json-schema.org/draft-07/schema";

/**
 * The draft by which a `$schema` is read, with or without a last "#", over http or https; undefined for an unknown one. Older drafts, which
 * tools of others still name, are read by the nearest one: 2019-09 as 2020-12, draft-06 and draft-04 as draft-07.
 */
export function draftOf(uri: string): "2020-12" | "draft-07" | undefined {
  const [, draft] = /^https?:\/\/json-schema\.org\/(draft\/20(?:20-12|19-09)|draft-0[467])\/schema#?$/.exec(uri) ?? [];
  return draft === undefined ? undefined : draft.startsWith("draft-0") ? "draft-07" : "2020-12";
}

/** Refuses a `$schema` that names no draft that is known: keywords may mean something else there. */
export function checkDialect(schema: Readonly<Record<string, unknown>>): void {
  const uri = schema["$schema"];
  if (typeof uri === "string" && draftOf(uri) === undefined) throw unknownDialect(uri);
}

export function unknownDialect(uri: string): SchemaError {
  return new SchemaError(
    "SCHEMA_INVALID",
    `The schema names the dialect "${uri.slice(0, 200)}". Known are "${draft2020}" and "${draft07}#".`,
  );
}
