import { createRedaction, type RedactionOptions } from "@toolrack/store";

/** A log line after redaction. */
export interface RedactedLine {
  readonly message: string;
  readonly fields: object;
}

/** Redacts a line: hidden fields, known secret values and API keys, at any depth; long texts are truncated. */
export function createLogRedaction(
  options: RedactionOptions,
): (message: string, fields: Readonly<Record<string, unknown>>) => RedactedLine {
  const redaction = createRedaction(options);
  return (message, fields) => {
    const redact = redaction();
    // Truncated last: half of a secret would not be recognised.
    const shown = isFlat(fields) ? redact(fields) : redact(toPlain(fields, 0));
    return {
      message: cutText(redact(message) as string),
      fields: isFlat(shown) && isShort(shown) ? shown : (mapTexts(shown, cutText) as object),
    };
  };
}

/** The lines of requests and calls need no copy. */
function isFlat(fields: unknown): fields is Readonly<Record<string, unknown>> {
  let count = 0;
  for (const key in fields as object) {
    const value = (fields as Record<string, unknown>)[key];
    if (typeof value === "object" || typeof value === "function" || typeof value === "bigint" || ++count > maxItems) return false;
  }
  return true;
}

function isShort(fields: Readonly<Record<string, unknown>>): boolean {
  for (const key in fields) {
    const value = fields[key];
    if (typeof value === "string" && (value.length > maxText || value.includes(apiKeyStart))) return false;
    if (key.includes(apiKeyStart)) return false;
  }
  return true;
}

const apiKeyStart = "trk_";
const apiKey = /trk_[0-9a-f]{16}_[\w-]+/g;

/** As plain data of limited depth and width; errors become their messages. */
function toPlain(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (depth > 16) return "[nested too deeply]";
  if (value instanceof Error) {
    const { name, message, stack, cause, ...more } = value as Error & Record<string, unknown>;
    return toPlain({ name, message, stack, ...(cause !== undefined && { cause }), ...more }, depth + 1);
  }
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => toPlain(item, depth + 1));
  const made: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value).slice(0, maxItems)) made[key] = toPlain(item, depth + 1);
  return made;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  const made: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) made[change(key)] = mapTexts(item, change);
  return made;
}

function cutText(text: string): string {
  const shown = text.includes(apiKeyStart) ? text.replaceAll(apiKey, "trk_[redacted]") : text;
  return shown.length > maxText ? `${shown.slice(0, maxText)}…` : shown;
}

const maxText = 8_192;
const maxItems = 200;
