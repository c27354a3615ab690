import { isObject } from "@toolrack/core/internal";
import { McpError } from "../errors.ts";
import { readHeaderValue } from "./header-value.ts";
import type { JsonObject } from "./protocol.ts";

/** A parameter that clients repeat in a header, for routers that do not read bodies. */
export interface MirroredParam {
  readonly path: readonly string[];
  /** "Mcp-Param-Region", in lower case. */
  readonly header: string;
}

/** The parameters that a schema marks with `x-mcp-header`, found through `properties` alone. Kept with the schema. */
export function mirroredParams(schema: Readonly<JsonObject>): readonly MirroredParam[] {
  let params = known.get(schema);
  if (params === undefined) known.set(schema, (params = collect(schema, [])));
  return params;
}

/** Refuses a call whose headers say something else than its arguments. A value in the body needs its header; none needs none. */
export function checkMirroredParams(params: readonly MirroredParam[], input: unknown, header: (name: string) => string | undefined): void {
  for (const { path, header: name } of params) {
    const value = valueAt(input, path);
    if (value === undefined || value === null || typeof value === "object") continue;
    const sent = header(name);
    if (sent === undefined) throw mismatch(name, `is missing, and the body has a value for ${path.join(".")}`);
    const read = readHeaderValue(sent);
    if (read === undefined) throw mismatch(name, "is not valid base64 between =?base64? and ?=");
    const isSame = typeof value === "number" ? /^-?\d+(\.\d+)?$/.test(read) && Number(read) === value : read === String(value);
    if (!isSame) throw mismatch(name, `differs from ${path.join(".")} in the body`);
  }
}

const known = new WeakMap<object, readonly MirroredParam[]>();

function collect(schema: Readonly<JsonObject>, path: readonly string[]): MirroredParam[] {
  const properties = schema["properties"];
  if (!isObject(properties) || path.length >= 16) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isObject(property)) return [];
    const mark = property["x-mcp-header"];
    const own = typeof mark === "string" ? [{ path: [...path, name], header: `mcp-param-${mark.toLowerCase()}` }] : [];
    return [...own, ...collect(property, [...path, name])];
  });
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let inner = value;
  for (const key of path) {
    if (!isObject(inner) || !Object.hasOwn(inner, key)) return undefined;
    inner = inner[key];
  }
  return inner;
}

function mismatch(header: string, fact: string): McpError {
  return new McpError("headerMismatch", `The header ${header} ${fact}.`, { header });
}
