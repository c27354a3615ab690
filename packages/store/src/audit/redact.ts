/** Field names that hold what nobody should read in a log. Compared without case, dashes and underscores. */
export const hiddenFields: readonly string[] = [
  "password",
  "passwd",
  "secret",
  "clientsecret",
  "token",
  "accesstoken",
  "refreshtoken",
  "idtoken",
  "apikey",
  "authorization",
  "cookie",
  "setcookie",
  "privatekey",
  "credentials",
];

export const redacted = "[redacted]";

export interface RedactionOptions {
  /** Names beyond the usual ones. */
  readonly fields?: readonly string[];
  /** Values that must not be seen anywhere, asked for each time. */
  readonly values?: () => Iterable<string>;
}

/** Gives what a log may keep of a value, as plain JSON: hidden fields and known secret values are replaced, to any depth, in keys too. */
export type Redact = (value: unknown) => unknown;

/** Answers how to redact with the secret values that are known now: the same function as long as they stay the same. */
export function createRedaction({ fields = [], values = () => [] }: RedactionOptions = {}): () => Redact {
  const isHidden = createFieldCheck(new Set([...hiddenFields, ...fields.map(fold)]));
  let secrets: readonly string[] = [];
  let redact = createRedact(isHidden, []);
  return () => {
    if (!isSame(values(), secrets)) {
      secrets = [...values()];
      redact = createRedact(isHidden, spellings(secrets));
    }
    return redact;
  };
}

function isSame(values: Iterable<string>, known: readonly string[]): boolean {
  let count = 0;
  for (const value of values) if (value !== known[count++]) return false;
  return count === known.length;
}

function createRedact(isHidden: (field: string) => boolean, needles: readonly string[]): Redact {
  const holdsSecret = (text: string): boolean => needles.some((needle) => text.includes(needle));
  const text = (original: string): string => {
    let clean = original;
    for (const needle of needles) if (clean.includes(needle)) clean = clean.replaceAll(needle, redacted);
    return clean;
  };

  /** Whether a value can be kept as it is, which is most of them, so that nothing has to be copied. */
  const isClean = (value: unknown, depth: number): boolean => {
    if (typeof value === "string") return needles.length === 0 || !holdsSecret(value);
    if (typeof value === "number") return needles.length === 0 || !needles.includes(String(value));
    if (typeof value !== "object" || value === null) return typeof value !== "bigint";
    if (depth > deepest || typeof (value as { toJSON?: unknown }).toJSON === "function") return false;
    if (Array.isArray(value)) return value.every((item) => isClean(item, depth + 1));
    const kind: unknown = Object.getPrototypeOf(value);
    if (kind !== Object.prototype && kind !== null) return false;
    for (const key in value) {
      if (isHidden(key) || (needles.length > 0 && holdsSecret(key))) return false;
      if (!isClean((value as Record<string, unknown>)[key], depth + 1)) return false;
    }
    return true;
  };

  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value === "string") return text(value);
    if (typeof value === "bigint") return text(String(value));
    if (typeof value === "number") return needles.includes(String(value)) ? redacted : value;
    if (typeof value !== "object" || value === null) return typeof value === "function" || typeof value === "symbol" ? undefined : value;
    if (depth > deepest) return "[nested too deeply]";
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (typeof (value as { toJSON?: unknown }).toJSON === "function") return copy((value as { toJSON(): unknown }).toJSON(), depth + 1);
    if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1) ?? null);
    const made: Record<string, unknown> = Object.create(null);
    for (const key of Object.keys(value))
      made[text(key)] = isHidden(key) ? redacted : copy((value as Record<string, unknown>)[key], depth + 1);
    return made;
  };

  return (value) => (isClean(value, 0) ? value : copy(value, 0));
}

const deepest = 64;

/** Most calls have the same fields as those before them. */
function createFieldCheck(hidden: ReadonlySet<string>): (name: string) => boolean {
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

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, "");
}

/** As they are, as they look in JSON, in URLs and in base64; the longest first, since one may be part of another. */
function spellings(values: Iterable<string>): readonly string[] {
  const found = new Set<string>();
  for (const value of values) {
    if (value.length < 4) continue; // Too short to be told from ordinary text.
    found
      .add(value)
      .add(JSON.stringify(value).slice(1, -1))
      .add(encodeURIComponent(Buffer.from(value).toString()))
      .add(Buffer.from(value).toString("base64").replace(/=+$/, ""));
  }
  return [...found].sort((a, b) => b.length - a.length);
}
