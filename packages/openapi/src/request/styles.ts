import { ToolInputError } from "@toolrack/core";
import { isObject } from "@toolrack/json-schema/internal";
import type { ParameterPlan, ValueStyle } from "../operation.ts";
import { encode, encodeReserved, isCookieText, present, toText } from "./encode.ts";

/** How parts are encoded; headers are not. */
type Encode = (text: string) => string;

const separators: Readonly<Record<string, string>> = { spaceDelimited: "%20", pipeDelimited: "%7C", tabDelimited: "%09" };

/** The pairs of a query or form for one value: ["ids=1", "ids=2"]. Each part is encoded before it is joined, so that a comma in it stays one. */
export function queryPairs(name: string, value: unknown, { style, explode, allowReserved }: ValueStyle): readonly string[] {
  const part: Encode = allowReserved ? encodeReserved : encode;
  const key = encode(name);
  if (style === "deepObject" && typeof value === "object" && value !== null) return deepPairs(name, value, part);
  const separator = separators[style] ?? ",";
  // Reserved characters or not: a comma of an item is not the one behind it.
  const item: Encode = explode || separator !== "," ? part : (text) => part(text).replaceAll(",", "%2C");
  if (Array.isArray(value)) {
    const items = value.filter((one) => one !== undefined && one !== null).map((one) => item(toText(one)));
    if (items.length === 0) return [];
    return explode ? items.map((one) => `${key}=${one}`) : [`${key}=${items.join(separator)}`];
  }
  if (isObject(value)) {
    const fields = present(value);
    if (fields.length === 0) return [];
    if (explode) return fields.flatMap(([field, inner]) => nestedPairs(field, inner, part));
    return [`${key}=${fields.flatMap(([field, inner]) => [encode(field), item(toText(inner))]).join(separator)}`];
  }
  return [`${key}=${part(toText(value))}`];
}

/** A member of an exploded object: a list repeats its name, deeper objects are written in brackets, which the specification leaves open. */
function nestedPairs(name: string, value: unknown, part: Encode): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => nestedPairs(name, item, part));
  return isObject(value) ? deepPairs(name, value, part) : [`${encode(name)}=${part(toText(value))}`];
}

/** filter[status]=open, and where values are deeper filter[by][name]=x, as servers with such parameters read it. */
function deepPairs(name: string, value: object, part: Encode): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) =>
      typeof item === "object" && item !== null ? deepPairs(`${name}[${index}]`, item, part) : [`${encode(name)}=${part(toText(item))}`],
    );
  return present(value).flatMap(([field, inner]) => {
    const key = `${name}[${field}]`;
    return typeof inner === "object" && inner !== null ? deepPairs(key, inner, part) : [`${encode(key)}=${part(toText(inner))}`];
  });
}

/** The text of a parameter of a path. */
export function pathText({ name, style, explode }: Pick<ParameterPlan, "name" | "style" | "explode">, value: unknown): string {
  if (style === "label") return `.${joined(value, explode, explode ? "." : ",", encode)}`;
  if (style !== "matrix") return joined(value, explode, separators[style] ?? ",", encode);
  const key = encode(name);
  const isList = Array.isArray(value);
  if (explode && isList)
    return value
      .filter((item) => item !== undefined && item !== null)
      .map((item) => `;${key}=${encode(toText(item))}`)
      .join("");
  if (explode && isObject(value))
    return present(value)
      .map(([field, inner]) => `;${encode(field)}=${encode(toText(inner))}`)
      .join("");
  const text = joined(value, false, ",", encode);
  return text === "" ? `;${key}` : `;${key}=${text}`;
}

/** The value of a header: as it is, because nobody decodes it. */
export function headerText(value: unknown, explode: boolean, style: string): string {
  const separator = style === "spaceDelimited" ? " " : style === "pipeDelimited" ? "|" : style === "tabDelimited" ? "\t" : ",";
  return joined(value, explode, separator, (text) => text);
}

/** Cookies are written like a form; the style of 3.2 has a cookie for each part, and leaves its text as it is. */
export function cookiePairs(name: string, value: unknown, style: ValueStyle): readonly string[] {
  if (style.style !== "cookie") return [queryPairs(name, value, style).join("&")].filter((pair) => pair !== "");
  const part: Encode = (text) => {
    if (isCookieText(text)) return text;
    throw new ToolInputError(
      `"${name}" is sent as a cookie as it is: it must not contain spaces, quotes, commas, semicolons, backslashes, control characters or anything beyond ASCII.`,
    );
  };
  // An "=" would end the name of a cookie.
  const field: Encode = (text) => part(text.replaceAll("=", ";"));
  if (!style.explode) return [`${name}=${joined(value, false, ",", part)}`];
  if (isObject(value)) return present(value).map(([key, inner]) => `${field(key)}=${part(toText(inner))}`);
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => `${name}=${part(toText(item))}`);
}

/** The simple style: a,b for lists, R,100,G,200 for objects, or R=100,G=200 exploded. */
function joined(value: unknown, explode: boolean, separator: string, part: Encode): string {
  if (Array.isArray(value))
    return value
      .filter((item) => item !== undefined && item !== null)
      .map((item) => part(toText(item)))
      .join(separator);
  if (!isObject(value)) return part(toText(value));
  const fields = present(value).map(([field, inner]) => [part(field), part(toText(inner))] as const);
  return explode ? fields.map((pair) => pair.join("=")).join(separator) : fields.flat().join(separator);
}
