/** Field names whose values nobody should read in a log. Compared without case, dashes and underscores. */
const hiddenFields: readonly string[] = [
  "authorization",
  "cookie",
  "setcookie",
  "password",
  "passwd",
  "secret",
  "clientsecret",
  "token",
  "accesstoken",
  "refreshtoken",
  "idtoken",
  "apikey",
  "privatekey",
  "credentials",
];

const redacted = "[redacted]";

/** Gives a copy for a log: hidden fields, known secret values and API keys are taken out, to any depth; what is long is cut. */
export function redactForLog(value: unknown, secrets: Iterable<string>, alsoHidden: ReadonlySet<string> = new Set()): unknown {
  const needles = spellings(secrets);
  const text = (original: string): string => {
    let clean = original.length > maxText ? `${original.slice(0, maxText)}…` : original;
    clean = clean.replaceAll(/trk_[0-9a-f]{16}_[\w-]+/g, `trk_${redacted}`);
    for (const needle of needles) if (clean.includes(needle)) clean = clean.replaceAll(needle, redacted);
    return clean;
  };
  const copy = (inner: unknown, depth: number): unknown => {
    if (typeof inner === "string") return text(inner);
    if (typeof inner === "bigint") return String(inner);
    if (typeof inner !== "object" || inner === null) return typeof inner === "function" || typeof inner === "symbol" ? undefined : inner;
    if (depth > 16) return "[nested too deeply]";
    if (inner instanceof Error) {
      const { name, message, stack, cause, ...more } = inner as Error & Record<string, unknown>;
      return copy({ name, message, stack, ...(cause !== undefined && { cause }), ...more }, depth + 1);
    }
    if (ArrayBuffer.isView(inner)) return `[${inner.byteLength} bytes]`;
    if (Array.isArray(inner)) return inner.slice(0, maxItems).map((item) => copy(item, depth + 1));
    const made: Record<string, unknown> = Object.create(null);
    for (const [key, item] of Object.entries(inner).slice(0, maxItems))
      made[text(key)] = isHidden(key, alsoHidden) ? redacted : copy(item, depth + 1);
    return made;
  };
  return copy(value, 0);
}

const maxText = 8_192;
const maxItems = 200;

export function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, "");
}

function isHidden(key: string, alsoHidden: ReadonlySet<string>): boolean {
  const folded = foldName(key);
  return hiddenFields.includes(folded) || alsoHidden.has(folded);
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
