import { describeValue } from "@toolrack/json-schema/internal";

/** Names that documents write in place of a type, with what they mean; "" stands for any value. */
const meanings: Readonly<Record<string, string>> = {
  any: "",
  mixed: "",
  enum: "",
  unknown: "",
  file: "string",
  date: "string",
  datetime: "string",
  "date-time": "string",
  time: "string",
  uuid: "string",
  guid: "string",
  str: "string",
  text: "string",
  char: "string",
  url: "string",
  uri: "string",
  email: "string",
  binary: "string",
  byte: "string",
  int: "integer",
  int32: "integer",
  int64: "integer",
  long: "integer",
  short: "integer",
  float: "number",
  double: "number",
  decimal: "number",
  numeric: "number",
  bool: "boolean",
  map: "object",
  dict: "object",
  json: "object",
  hash: "object",
  list: "array",
};

const standard: ReadonlySet<string> = new Set(["null", "boolean", "object", "array", "number", "string", "integer"]);

export interface ReadTypes {
  /** Undefined: any value. */
  readonly types: readonly string[] | undefined;
  /** A format that the wrong name implies: "date" for type: date. */
  readonly format?: string;
  readonly repaired?: string;
}

/** "date" → string with the format date; "any" → no type; ["string", "null"] as it is. */
export function readTypes(type: unknown): ReadTypes {
  if (type === undefined || type === null) return { types: undefined };
  const types = new Set<string>();
  let format: string | undefined;
  let repaired: string | undefined;
  for (const name of Array.isArray(type) ? type : [type]) {
    if (typeof name === "string" && standard.has(name)) types.add(name);
    else {
      // Whatever is no text has no name: it may have a "toString" of its own.
      const given = typeof name === "string" ? name : describeValue(name);
      const plain = given.toLowerCase();
      const meant = standard.has(plain) ? plain : Object.hasOwn(meanings, plain) ? meanings[plain]! : "";
      repaired = `The type ${JSON.stringify(given.slice(0, 40))} is read as ${meant === "" ? "any value" : meant}.`;
      if (meant === "") return { types: undefined, repaired };
      types.add(meant);
      if (plain === "date" || plain === "uuid") format = plain;
      else if (plain === "datetime" || plain === "date-time") format = "date-time";
      else if (plain === "file") format = "binary";
    }
  }
  return { types: types.size === 0 ? undefined : [...types], ...(format && { format }), ...(repaired && { repaired }) };
}
