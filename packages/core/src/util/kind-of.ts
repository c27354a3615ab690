/** What a value is, in a word or two, for messages: "undefined", "text", "a list", "an empty object", "a promise", "a number". */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === "string") return "text";
  if (typeof value !== "object") return `a ${typeof value}`;
  if (Array.isArray(value)) return "a list";
  if (typeof (value as { then?: unknown }).then === "function") return "a promise";
  return Object.keys(value).length === 0 ? "an empty object" : "an object";
}
