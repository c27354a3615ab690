/** A JSON Schema document, draft 2020-12 unless its `$schema` says draft-07. */
export type JsonSchema = { readonly [keyword: string]: unknown };
