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

/** Gives a copy for a log, as plain JSON: hidden fields and known secret values are replaced, to any depth, in keys too. */
export function createRedaction({ fields = [], values = () => [] }: RedactionOptions = {}): (value: unknown) => unknown {
  const isHidden = createFieldCheck(new Set([...hiddenFields, ...fields.map(fold)]));
  let known: { readonly secrets: readonly string[]; readonly needles: readonly string[] } = { secrets: [], needles: [] };
  const needlesNow = (): readonly string[] => {
    const secrets = [...values()];
    const isSame = secrets.length === known.secrets.length && secrets.every((secret, index) => secret === known.secrets[index]);
    if (!isSame) known = { secrets, needles: spellings(secrets) };
    return known.needles;
  };
  return (value) => {
    const needles = needlesNow();
    const text = (original: string): string => {
      let clean = original;
      for (const needle of needles) if (clean.includes(needle)) clean = clean.replaceAll(needle, redacted);
      return clean;
    };
    const copy = (inner: unknown, depth: number): unknown => {
      if (typeof inner === "string") return text(inner);
      if (typeof inner === "bigint") return text(String(inner));
      if (typeof inner === "number") return needles.includes(String(inner)) ? redacted : inner;
      if (typeof inner !== "object" || inner === null) return typeof inner === "function" || typeof inner === "symbol" ? undefined : inner;
      if (depth > 64) return "[nested too deeply]";
      if (ArrayBuffer.isView(inner)) return `[${inner.byteLength} bytes]`;
      if (typeof (inner as { toJSON?: unknown }).toJSON === "function") return copy((inner as { toJSON(): unknown }).toJSON(), depth + 1);
      if (Array.isArray(inner)) return inner.map((item) => copy(item, depth + 1) ?? null);
      const made: Record<string, unknown> = Object.create(null);
      for (const key of Object.keys(inner))
        made[text(key)] = isHidden(key) ? redacted : copy((inner as Record<string, unknown>)[key], depth + 1);
      return made;
    };
    return copy(value, 0);
  };
}

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
