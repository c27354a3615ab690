import { redactedMark, redactJsonText } from "./redact-json-text.ts";
import { secretForms } from "./secret-forms.ts";
import { createTextFinder } from "./text-finder.ts";

/** Removes secrets from values. Returns the same value if there is nothing to remove. */
export interface Redactor {
  text(text: string): string;
  /** Searches data to any depth, names of properties included; a changed value is a copy. Throws what a getter throws. */
  value(value: unknown): unknown;
  isHidden(field: string): boolean;
}

export interface RedactorOptions {
  /** Hidden in every form that `secretForms` knows. */
  readonly secrets?: Iterable<string>;
  /** Whether a property's value is hidden, by its name; see `createFieldCheck`. @default no property */
  readonly isHidden?: (field: string) => boolean;
  /** Whether hidden properties are looked for in JSON within texts, too. @default false */
  readonly searchesJsonText?: boolean;
  /**
   * Whether the result is plain JSON, for logs and records: bytes become their number, what is nested too deeply a mark, and functions go.
   * Otherwise circular references stay, and bytes stay as they are: they contain no text. In both, an error, a Map and the like that hold a secret
   * become plain objects.
   * @default false
   */
  readonly asJson?: boolean;
}

export function createRedactor({ secrets = [], isHidden = never, searchesJsonText = false, asJson = false }: RedactorOptions): Redactor {
  const forms = secretForms(secrets);
  const finder = createTextFinder(forms);
  const hidesFields = isHidden !== never;

  const text = (original: string): string => {
    const shown = searchesJsonText && hidesFields ? redactJsonText(original, isHidden) : original;
    return forms.size === 0 ? shown : finder.replaceAll(shown, redactedMark);
  };
  const isSecretNumber = (value: number | bigint): boolean => forms.size > 0 && forms.has(String(value));

  /** Whether a value can be kept as it is, which is most of them, so that nothing has to be copied. */
  const isClean = (value: unknown, depth: number, seen: Set<object> | undefined): boolean => {
    if (typeof value === "string") return text(value) === value;
    if (typeof value === "number") return !isSecretNumber(value);
    if (typeof value === "bigint") return !asJson && !isSecretNumber(value);
    if (typeof value !== "object" || value === null) return true;
    if (ArrayBuffer.isView(value)) return !asJson;
    if (isBoxed(value)) return false;
    if (seen?.has(value)) return true;
    seen?.add(value);
    if (asJson && (depth > deepest || hasToJson(value) || !isPlain(value))) return false;
    if (hasToJson(value)) return isClean(value.toJSON(), depth + 1, seen);
    if (Array.isArray(value)) return value.every((item) => isClean(item, depth + 1, seen));
    for (const [key, inner] of partsOf(value, asJson)) {
      if (typeof key === "string" ? isHidden(key) || text(key) !== key : !isClean(key, depth + 1, seen)) return false;
      if (!isClean(inner, depth + 1, seen)) return false;
    }
    return true;
  };

  const copy = (value: unknown, depth: number, copies: Map<object, unknown>): unknown => {
    if (typeof value === "string") return text(value);
    if (typeof value === "number") return isSecretNumber(value) ? redactedMark : value;
    if (typeof value === "bigint") return isSecretNumber(value) ? redactedMark : asJson ? String(value) : value;
    if (typeof value !== "object" || value === null)
      return asJson && (typeof value === "function" || typeof value === "symbol") ? undefined : value;
    if (ArrayBuffer.isView(value)) return asJson ? `[${value.byteLength} bytes]` : value;
    if (isBoxed(value)) return copy(value.valueOf(), depth + 1, copies);
    if (asJson && depth > deepest) return "[nested too deeply]";
    const known = asJson ? undefined : copies.get(value);
    if (known !== undefined) return known;
    if (hasToJson(value)) return copy(value.toJSON(), depth + 1, copies);
    const made: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
    copies.set(value, made);
    for (const [part, inner] of partsOf(value, asJson)) {
      const key = typeof part === "string" ? part : String(copy(part, depth + 1, copies));
      const redacted = isHidden(key) ? redactedMark : copy(inner, depth + 1, copies);
      // JSON has no way to leave out an item of a list.
      const shown = asJson && redacted === undefined && Array.isArray(value) ? null : redacted;
      Object.defineProperty(made, text(key), { value: shown, writable: true, enumerable: true, configurable: true });
    }
    return made;
  };

  const isIdle = forms.size === 0 && !hidesFields && !asJson;
  return {
    text,
    isHidden,
    value: (value) => (isIdle || isClean(value, 0, asJson ? undefined : new Set()) ? value : copy(value, 0, new Map())),
  };
}

/** What an object holds: its properties, the message, stack and cause of an error, the entries of a Map, of headers and of the like. */
function partsOf(value: object, asJson: boolean): Iterable<readonly [unknown, unknown]> {
  if (isPlain(value)) return Object.entries(value);
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    return [
      ...Object.entries({ name, message, ...(!asJson && { stack }), ...(cause !== undefined && { cause }) }),
      ...Object.entries(value),
    ];
  }
  if (value instanceof Set) return [...value].map((item, index) => [String(index), item] as const);
  const { entries } = value as { entries?: unknown };
  const own = Object.entries(value);
  return typeof entries === "function" && Symbol.iterator in value ? [...own, ...(value as Map<unknown, unknown>).entries()] : own;
}

/** Names of properties, compared without case, dashes, underscores and spaces: "API-Key" is "apiKey". */
export function createFieldCheck(names: Iterable<string>): (field: string) => boolean {
  const hidden = new Set([...names].map(fold));
  if (hidden.size === 0) return never;
  // Most calls have the same fields as those before them.
  const known = new Map<string, boolean>();
  return (name) => {
    let answer = known.get(name);
    if (answer === undefined) {
      answer = hidden.has(fold(name));
      if (known.size >= 1_000) known.clear();
      if (name.length <= 100) known.set(name, answer);
    }
    return answer;
  };
}

const never = (): boolean => false;
const deepest = 64;

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, "");
}

/** new String("…"): a text in an object, whose characters are its properties. */
function isBoxed(value: object): boolean {
  return value instanceof String || value instanceof Number || value instanceof BigInt;
}

function isPlain(value: object): boolean {
  const kind: unknown = Object.getPrototypeOf(value);
  return kind === Object.prototype || kind === null || Array.isArray(value);
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return typeof (value as { toJSON?: unknown }).toJSON === "function";
}
