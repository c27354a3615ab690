import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { members, own, ownList, ownObject, ownText } from "../document/json.ts";
import type { DocumentScope, References } from "../document/references.ts";
import type { SpecVersion } from "../document/version.ts";
import { OperationFault } from "../fault.ts";
import type { ParameterPlace, ValueStyle } from "../operation.ts";
import type { Located } from "../schema/context.ts";
import { headerName, isConnectionHeader, isSteeringHeader } from "./headers.ts";
import type { RawOperation } from "./raw-operations.ts";
import { readStyle } from "./styles.ts";
import { swaggerSchema } from "./swagger-schema.ts";

/** A parameter of an operation, read but without a name in the input. */
export interface ReadParameter extends ValueStyle {
  readonly in: ParameterPlace;
  readonly name: string;
  readonly required: boolean;
  readonly schema: Located;
  readonly description: string | undefined;
  readonly deprecated: boolean;
  readonly contentType?: string;
}

/** A parameter of Swagger 2 that is the body, or a field of its form. */
export interface BodyParameter {
  readonly in: "body" | "formData";
  readonly value: JsonObject;
  readonly scope: DocumentScope;
}

export interface ReadParameters {
  readonly parameters: readonly ReadParameter[];
  readonly body: readonly BodyParameter[];
}

const places: ReadonlySet<unknown> = new Set(["path", "query", "querystring", "header", "cookie"]);
const ignoredHeaders: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

/** The parameters of an operation and of its path; one of the operation replaces one of the path with the same place and name. */
export function readParameters(
  raw: RawOperation,
  inPath: readonly string[],
  version: SpecVersion,
  references: References,
  warn: (message: string) => void,
): ReadParameters {
  const found = new Map<string, { value: JsonObject; scope: DocumentScope }>();
  for (const given of [...ownList(raw.item, "parameters"), ...ownList(raw.value, "parameters")]) {
    const { value, scope } = references.follow(given, raw.scope);
    const place = ownText(value, "in");
    const name = place === "body" ? "body" : place === "querystring" ? (ownText(value, "name") ?? "querystring") : ownText(value, "name");
    if (!isObject(value) || place === undefined || name === undefined) warn("A parameter has no name or no place (in): it is left out.");
    else found.set(`${place} ${place === "header" ? name.toLowerCase() : name}`, { value, scope });
  }
  const parameters: ReadParameter[] = [];
  const body: BodyParameter[] = [];
  for (const { value, scope } of found.values()) {
    const place = ownText(value, "in")!;
    if (version === "2.0" && (place === "body" || place === "formData")) body.push({ in: place, value, scope });
    else if (!places.has(place)) warn(`A parameter is in "${place.slice(0, 40)}", which is no place: it is left out.`);
    else {
      const name = ownText(value, "name") ?? place;
      const reason = leftOut(place, name, inPath, version);
      if (reason === undefined) parameters.push(readOne(value, name, place as ParameterPlace, scope, version, warn));
      else if (reason !== "") warn(reason);
    }
  }
  const declared = new Set(parameters.filter((one) => one.in === "path").map(({ name }) => name));
  for (const name of inPath) {
    if (declared.has(name)) continue;
    warn(`"{${name.slice(0, 80)}}" in the path is not declared: it is read as a required text.`);
    parameters.push({
      ...simple,
      in: "path",
      name,
      required: true,
      schema: { schema: { type: "string" }, scope: raw.scope },
      description: undefined,
      deprecated: false,
    });
  }
  return { parameters, body };
}

/** The names of the parameters of the query. */
export function queryNames({ item, value, scope }: RawOperation, references: References): ReadonlySet<string | undefined> {
  const given = [...ownList(item, "parameters"), ...ownList(value, "parameters")].map((one) => references.follow(one, scope).value);
  return new Set(given.filter((one) => ownText(one, "in") === "query").map((one) => ownText(one, "name")));
}

const simple: ValueStyle = { style: "simple", explode: false, allowReserved: false };

/** Why a parameter is no property of the input: "" where that is as the specification says. */
function leftOut(place: string, name: string, inPath: readonly string[], version: SpecVersion): string | undefined {
  if (place === "path" && !inPath.includes(name)) return `The path has no "{${name.slice(0, 80)}}": the parameter is left out.`;
  if (place === "header") {
    if (version !== "2.0" && ignoredHeaders.has(name.toLowerCase())) return "";
    if (isSteeringHeader(name))
      return `The header "${name.slice(0, 80)}" can change what servers take a request for: the parameter is left out.`;
    if (isConnectionHeader(name)) return `The header "${name.slice(0, 80)}" is set by the connection: the parameter is left out.`;
  }
  return undefined;
}

function readOne(
  value: JsonObject,
  name: string,
  place: ParameterPlace,
  scope: DocumentScope,
  version: SpecVersion,
  warn: (message: string) => void,
): ReadParameter {
  const style = readStyle(value, place, version, warn);
  // The name of a cookie is encoded, but for the style that leaves everything as it is.
  if ((place === "header" || style.style === "cookie") && !headerName.test(name))
    throw new OperationFault(`${JSON.stringify(name.slice(0, 80))} cannot be the name of a ${place}.`);
  const content = members(ownObject(value, "content"))[0];
  const schema =
    version === "2.0" ? swaggerSchema(value) : ((content === undefined ? own(value, "schema") : own(content[1], "schema")) ?? {});
  return {
    ...style,
    in: place,
    name,
    required: place === "path" || own(value, "required") === true,
    schema: { schema: withExample(schema, value), scope },
    description: ownText(value, "description"),
    deprecated: own(value, "deprecated") === true,
    ...(content !== undefined && { contentType: content[0] }),
  };
}

function withExample(schema: unknown, parameter: JsonObject): unknown {
  const example = own(parameter, "example");
  if (example === undefined || !isObject(schema) || own(schema, "$ref") !== undefined || own(schema, "example") !== undefined)
    return schema;
  return { ...schema, example };
}
