/** A header value is plain ASCII, or UTF-8 as `=?base64?…?=`. Undefined: it claims to be base64 and is not. */
export function readHeaderValue(value: string): string | undefined {
  const trimmed = value.trim();
  if (!trimmed.startsWith(prefix) || !trimmed.endsWith(suffix) || trimmed.length < prefix.length + suffix.length) return trimmed;
  const encoded = trimmed.slice(prefix.length, -suffix.length);
  const bytes = Buffer.from(encoded, "base64");
  // Buffer ignores what is not base64, so valid input is what encodes to the same text again.
  if (bytes.toString("base64") !== encoded) return undefined;
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : undefined;
}

const prefix = "=?base64?";
const suffix = "?=";

/** The same the other way round: "Zürich" → "=?base64?WsO8cmljaA==?=". */
export function toHeaderValue(text: string): string {
  const isPlain = /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith(prefix);
  return isPlain ? text : `${prefix}${Buffer.from(text).toString("base64")}${suffix}`;
}
