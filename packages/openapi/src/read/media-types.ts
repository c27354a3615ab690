import type { BodyKind } from "../operation.ts";

/** "application/json; charset=utf-8" → "application/json" */
export function essenceOf(contentType: string): string {
  return contentType.split(";")[0]!.trim().toLowerCase();
}

export function isJson(contentType: string): boolean {
  const essence = essenceOf(contentType);
  return essence === "application/json" || essence === "text/json" || essence.endsWith("+json") || isAny(essence);
}

function isAny(essence: string): boolean {
  return essence === "*/*" || essence === "application/*" || essence === "*";
}

const texts =
  /^text\/|[/+]xml$|^application\/(?:x-)?(?:yaml|ndjson|jsonlines|jsonl|graphql|javascript|sql|toml|pem-file|sparql-query|edn|csv|json5)$|\+yaml$|^application\/vnd\..*\+csv$/;
const bytes = /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip|gzip|x-tar|x-gzip|x-zip-compressed|binary|x-binary)$/;

/** What a body of this type is written from; undefined where only its schema tells. */
export function kindOf(contentType: string): BodyKind | undefined {
  const essence = essenceOf(contentType);
  if (isJson(essence)) return "json";
  if (essence.startsWith("multipart/")) return "multipart";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (texts.test(essence)) return "text";
  return bytes.test(essence) ? "bytes" : undefined;
}

/** The media types of a body, best first: what the caller prefers, JSON, multipart, forms, text, bytes. */
export function byPreference(types: readonly string[], preferred: readonly string[]): readonly string[] {
  const wanted = preferred.map(essenceOf);
  const rank = (type: string): number => {
    const place = wanted.indexOf(essenceOf(type));
    return place >= 0 ? place - wanted.length : rankOf(essenceOf(type));
  };
  return types
    .map((type, index) => ({ type, index, rank: rank(type) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ type }) => type);
}

function rankOf(essence: string): number {
  if (essence === "application/json") return 0;
  if (isJson(essence)) return isAny(essence) ? 2 : 1;
  const kind = kindOf(essence);
  return kind === "multipart" ? 3 : kind === "form" ? 4 : kind === "text" ? (essence.endsWith("xml") ? 6 : 5) : kind === "bytes" ? 8 : 7;
}

/** What is sent for a type of the document: one with a wildcard is JSON. */
export function toSentType(contentType: string): string {
  return isAny(essenceOf(contentType)) ? "application/json" : contentType.trim();
}
