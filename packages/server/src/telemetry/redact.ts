import { createRedaction, type RedactionOptions } from "@toolrack/store";

/** Gives what a log may tell of a value: without hidden fields, known secret values and API keys, to any depth; what is long is cut. */
export function createLogRedaction(options: RedactionOptions): (value: unknown) => unknown {
  const redaction = createRedaction(options);
  // Cut last: a secret that was cut in two would not be known for one.
  return (value) => mapTexts(redaction()(toPlain(value, 0)), (text) => cut(text.replaceAll(apiKey, "trk_[redacted]")));
}

const apiKey = /trk_[0-9a-f]{16}_[\w-]+/g;

/** As plain data of bounded depth and width, in which errors tell what they say. */
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

function cut(text: string): string {
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}

const maxText = 8_192;
const maxItems = 200;
