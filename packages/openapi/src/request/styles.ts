import { ToolInputError } from "@toolrack/core";
import { isObject } from "@toolrack/json-schema/internal";
import type { ParameterPlan, ValueStyle } from "../operation.ts";
import { encode, encodeReserved, isCookieText, present, toText } from "./encode.ts";

type Encode = (text: string) => string;

/** A name and its value, as they stand in one place of a request. */
export type Pair = readonly [name: string, value: string];

/** How names, values and what separates values are written somewhere. */
interface Writing {
  readonly name: Encode;
  readonly part: Encode;
  readonly separators: Readonly<Record<string, string>>;
}

const encoded: Readonly<Record<string, string>> = { spaceDelimited: "%20", pipeDelimited: "%7C", tabDelimited: "%09" };
const plain: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|", tabDelimited: "\t" };
const asIs: Encode = (text) => text;

/** The pairs of a query or form for one value: ["ids=1", "ids=2"]. Each part is encoded before it is joined, so that a comma in it stays one. */
export function queryPairs(name: string, value: unknown, style: ValueStyle): readonly string[] {
  const part = style.allowReserved ? encodeReserved : encode;
  return pairsOf(name, value, style, { name: encode, part, separators: encoded }).map((pair) => pair.join("="));
}

/** The same as parts of a form, whose names and values are not encoded. */
export function plainPairs(name: string, value: unknown, style: ValueStyle): readonly Pair[] {
  return pairsOf(name, value, style, { name: asIs, part: asIs, separators: plain });
}

function pairsOf(name: string, value: unknown, { style, explode, inner = [] }: ValueStyle, writing: Writing): readonly Pair[] {
  const { name: encodeName, part, separators } = writing;
  const key = encodeName(name);
  if (style === "deepObject" && typeof value === "object" && value !== null) return deepPairs(name, value, writing);
  const separator = separators[style] ?? ",";
  // Reserved characters or not: a comma of an item is not the one behind it.
  const item: Encode = explode || separator !== "," || part === asIs ? part : (text) => part(text).replaceAll(",", "%2C");
  if (Array.isArray(value)) {
    const items = textsOf(value, item, inner, separators);
    if (items.length === 0) return [];
    return explode ? items.map((one) => [key, one]) : [[key, items.join(separator)]];
  }
  if (isObject(value)) {
    const fields = present(value);
    if (fields.length === 0) return [];
    if (explode) return fields.flatMap(([field, one]) => nestedPairs(field, one, writing));
    return [[key, fields.flatMap(([field, one]) => [encodeName(field), item(toText(one))]).join(separator)]];
  }
  return [[key, part(toText(value))]];
}

/** The items of a list, each as one text. Lists in it are joined as the document says for them, or else written as JSON. */
function textsOf(
  list: readonly unknown[],
  part: Encode,
  inner: readonly string[],
  separators: Readonly<Record<string, string>>,
): readonly string[] {
  const [first, ...deeper] = inner;
  return list
    .filter((item) => item !== undefined && item !== null)
    .map((item) =>
      first !== undefined && Array.isArray(item)
        ? textsOf(item, part, deeper, separators).join(separators[first] ?? ",")
        : part(toText(item)),
    );
}

/** A member of an exploded object: a list repeats its name, deeper objects are written in brackets, which the specification leaves open. */
function nestedPairs(name: string, value: unknown, writing: Writing): readonly Pair[] {
  if (Array.isArray(value)) return value.flatMap((item) => nestedPairs(name, item, writing));
  return isObject(value) ? deepPairs(name, value, writing) : [[writing.name(name), writing.part(toText(value))]];
}

/** filter[status]=open, and where values are deeper filter[by][name]=x, as servers with such parameters read it. */
function deepPairs(name: string, value: object, writing: Writing): readonly Pair[] {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index): readonly Pair[] =>
      typeof item === "object" && item !== null
        ? deepPairs(`${name}[${index}]`, item, writing)
        : [[writing.name(name), writing.part(toText(item))]],
    );
  return present(value).flatMap(([field, inner]): readonly Pair[] => {
    const key = `${name}[${field}]`;
    return typeof inner === "object" && inner !== null
      ? deepPairs(key, inner, writing)
      : [[writing.name(key), writing.part(toText(inner))]];
  });
}

/** The text of a parameter of a path. */
export function pathText(parameter: Pick<ParameterPlan, "name" | "style" | "explode" | "inner">, value: unknown): string {
  const { name, style, explode, inner = [] } = parameter;
  if (style === "label") return `.${joined(value, explode, explode ? "." : ",", encode)}`;
  if (style !== "matrix") return joined(value, explode, encoded[style] ?? ",", encode, inner, encoded);
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
export function headerText(value: unknown, { explode, style, inner = [] }: ValueStyle): string {
  return joined(value, explode, plain[style] ?? ",", asIs, inner, plain);
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
function joined(
  value: unknown,
  explode: boolean,
  separator: string,
  part: Encode,
  inner: readonly string[] = [],
  separators: Readonly<Record<string, string>> = plain,
): string {
  if (Array.isArray(value)) return textsOf(value, part, inner, separators).join(separator);
  if (!isObject(value)) return part(toText(value));
  const fields = present(value).map(([field, one]) => [part(field), part(toText(one))] as const);
  return explode ? fields.map((pair) => pair.join("=")).join(separator) : fields.flat().join(separator);
}
