import { redactedMark, redactJsonText } from "./redact-json-text.ts";

/** Takes secrets out of whatever is about to leave. Gives the same value back where there is none. */
export interface Redactor {
  text(text: string): string;
  /** Searches data to any depth, names of properties included; a changed value is a copy. Throws what a getter throws. */
  value(value: unknown): unknown;
  isHidden(field: string): boolean;
}

/** `fields` are names in lower case; `secrets` are hidden as they are, and as they look in JSON and in URLs. */
export function createRedactor(secrets: Iterable<string>, fields: ReadonlySet<string>): Redactor {
  const needles = spellings(secrets);
  const isHidden = (field: string): boolean => fields.size > 0 && fields.has(field.toLowerCase());

  const text = (original: string): string => {
    let redacted = fields.size > 0 ? redactJsonText(original, fields) : original;
    for (const needle of needles) if (redacted.includes(needle)) redacted = redacted.replaceAll(needle, redactedMark);
    return redacted;
  };

  const isSecretNumber = (value: unknown): boolean =>
    needles.length > 0 && (typeof value === "number" || typeof value === "bigint") && needles.includes(String(value));

  const hasSecret = (value: unknown, seen: Set<object>): boolean => {
    if (typeof value === "string") return text(value) !== value;
    if (!isSearched(value)) return isSecretNumber(value);
    if (seen.has(value)) return false;
    seen.add(value);
    if (hasToJson(value)) return hasSecret(value.toJSON(), seen);
    for (const key of Object.keys(value)) {
      if (isHidden(key) || text(key) !== key || hasSecret((value as Record<string, unknown>)[key], seen)) return true;
    }
    return false;
  };

  const copy = (value: unknown, copies: Map<object, unknown>): unknown => {
    if (typeof value === "string") return text(value);
    if (!isSearched(value)) return isSecretNumber(value) ? redactedMark : value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    if (hasToJson(value)) return copy(value.toJSON(), copies);
    const made: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
    copies.set(value, made);
    for (const [key, inner] of Object.entries(value)) {
      const redacted = isHidden(key) ? redactedMark : copy(inner, copies);
      Object.defineProperty(made, text(key), { value: redacted, writable: true, enumerable: true, configurable: true });
    }
    return made;
  };

  const isIdle = needles.length === 0 && fields.size === 0;
  return { text, isHidden, value: (value) => (!isIdle && hasSecret(value, new Set()) ? copy(value, new Map()) : value) };
}

/** The longest first, since one secret may be part of another. */
function spellings(secrets: Iterable<string>): readonly string[] {
  const found = new Set<string>();
  for (const secret of secrets) {
    if (secret === "") continue;
    const wellFormed = Buffer.from(secret).toString(); // half a surrogate pair cannot stand in a URL
    found.add(secret).add(JSON.stringify(secret).slice(1, -1)).add(encodeURIComponent(wellFormed));
  }
  return [...found].sort((a, b) => b.length - a.length);
}

/** Bytes are left as they are: no text stands in them. */
function isSearched(value: unknown): value is object {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value);
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return typeof (value as { toJSON?: unknown }).toJSON === "function";
}
