import type { RJSFSchema, UiSchema } from "@rjsf/utils";

/** Which widget each property gets, where the schema alone does not say; also inside of objects and lists. */
export function uiFor(schema: RJSFSchema, secrets: readonly string[], depth = 0): UiSchema {
  const ui: UiSchema = {};
  if (depth > maxDepth) return ui;
  for (const [name, given] of Object.entries(schema.properties ?? {})) {
    const part: RJSFSchema = typeof given === "boolean" ? {} : given;
    // A name such as "__proto__" would be no property of its own, if it were simply set.
    Object.defineProperty(ui, name, { value: uiOf(name, part, secrets, depth), enumerable: true, configurable: true, writable: true });
  }
  return ui;
}

const maxDepth = 6;

function uiOf(name: string, part: RJSFSchema, secrets: readonly string[], depth: number): UiSchema {
  const { type, minimum, maximum } = part;
  const isNumber = type === "integer" || type === "number";
  if (isSecret(name, part, secrets)) return { "ui:widget": "secret" };
  if (typeof part["x-options-from"] === "string") return { "ui:widget": "choices" };
  if (type === "boolean") return { "ui:widget": "switch" };
  if (isNumber && minimum !== undefined && maximum !== undefined && maximum - minimum <= 1_000) return { "ui:widget": "slider" };
  if (isLongText(name, part)) return { "ui:widget": "textarea" };
  if (type === "object" && part.properties !== undefined) return uiFor(part, secrets, depth + 1);
  if (type === "array" && typeof part.items === "object" && !Array.isArray(part.items))
    return { items: uiOf("", part.items as RJSFSchema, [], depth + 1) };
  return hasNoForm(part) ? { "ui:field": "json" } : {};
}

/**
 * Whether a text has several lines: by what the schema says (`format: "multiline"`, a media type, or room for more than 200 characters), else
 * by the last word of its name, as in "content" and "newText".
 */
function isLongText(name: string, part: RJSFSchema): boolean {
  const { type, format, maxLength, enum: choices, const: only, pattern } = part;
  if (type !== "string" || choices !== undefined || only !== undefined) return false;
  if (format === "multiline" || part["contentMediaType"] !== undefined) return true;
  if (maxLength !== undefined) return maxLength > 200;
  return format === undefined && pattern === undefined && longTexts.test(wordsOf(name));
}

const longTexts = /(^|_|-)(content|text|body|code|script|patch|diff|prompt|message|markdown|html|sql)$/i;

/** "newText" → "new_Text" */
function wordsOf(name: string): string {
  return name.replaceAll(/([a-z])([A-Z])/g, "$1_$2");
}

function isSecret(name: string, { type, format }: RJSFSchema, secrets: readonly string[]): boolean {
  if (type !== "string") return false;
  return secrets.includes(name) || format === "password" || /(^|_|-)(secret|password|token|api_?key)$/i.test(wordsOf(name));
}

/** Any value is allowed, so it is edited as JSON. */
function hasNoForm({ type, properties, enum: choices, const: only, anyOf, oneOf, allOf, $ref, items }: RJSFSchema): boolean {
  if (type === "object") return properties === undefined && anyOf === undefined && oneOf === undefined && allOf === undefined;
  if (type === "array") return items === undefined || typeof items === "boolean";
  return [type, choices, only, anyOf, oneOf, allOf, $ref].every((keyword) => keyword === undefined);
}

/** The schema as the form takes it: what allows anything gets a name, without which it would not be shown; so do forms to choose from. */
export function toFormSchema(schema: RJSFSchema, depth = 0): RJSFSchema {
  if (depth > maxDepth) return schema;
  const inside = (part: unknown, name: string): RJSFSchema =>
    typeof part === "object" && part !== null && Object.keys(part).length > 0
      ? toFormSchema(part as RJSFSchema, depth + 1)
      : { title: name };
  const { properties, items, anyOf, oneOf } = schema;
  const named = (options: readonly unknown[]): RJSFSchema[] =>
    options.map((option, index) => {
      const part = inside(option, `form ${index + 1}`);
      return { ...part, title: part.title ?? nameOf(part, index) };
    });
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, part === false ? part : inside(part, name)])),
    }),
    ...(typeof items === "object" && !Array.isArray(items) && Object.keys(items).length > 0 && { items: inside(items, "item") }),
    ...(anyOf !== undefined && { anyOf: named(anyOf) }),
    ...(oneOf !== undefined && { oneOf: named(oneOf) }),
  };
}

/** { type: "integer" } → "integer"; { const: "a" } → "a"; { enum: ["a", "b"] } → "a, b" */
function nameOf({ type, const: only, enum: choices }: RJSFSchema, index: number): string {
  if (only !== undefined) return String(only);
  if (choices !== undefined) return choices.slice(0, 4).map(String).join(", ");
  return type === undefined ? `form ${index + 1}` : String(type);
}
