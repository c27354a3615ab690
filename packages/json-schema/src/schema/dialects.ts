import { SchemaError } from "../errors.ts";

export const draft2020 = "https://json-schema.org/draft/2020-12/schema";
export const draft07 = "http://json-schema.org/draft-07/schema";

/** The draft that a `$schema` names, with or without a last "#", over http or https; undefined for any other. */
export function draftOf(uri: string): "2020-12" | "draft-07" | undefined {
  const [, draft] = /^https?:\/\/json-schema\.org\/(draft\/2020-12|draft-07)\/schema#?$/.exec(uri) ?? [];
  return draft === undefined ? undefined : draft === "draft-07" ? draft : "2020-12";
}

/** Refuses a `$schema` that names none of the drafts: keywords may mean something else there. */
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
