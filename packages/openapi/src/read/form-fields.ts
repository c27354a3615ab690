import type { JsonObject } from "@toolrack/json-schema/internal";
import { own, ownObject, ownText } from "../document/json.ts";
import type { References } from "../document/references.ts";
import type { SpecVersion } from "../document/version.ts";
import type { BodyKind, FormField, ValueStyle } from "../operation.ts";
import type { Located } from "../schema/context.ts";
import { propertiesOf, resolveSchema } from "../schema/resolve.ts";
import { essenceOf } from "./media-types.ts";
import type { BodyParameter } from "./parameters.ts";
import { collectionStyle, readStyle } from "./styles.ts";

/**
 * How the members of a form are written, for those where the schema or the encoding says something. Up to 3.0 the encoding has styles for urlencoded forms
 * alone; since 3.1 also for multipart/form-data, where a style stands in place of the media type.
 */
export function readFormFields(
  schema: Located,
  encoding: JsonObject | undefined,
  body: { readonly kind: BodyKind; readonly contentType: string },
  version: SpecVersion,
  references: References,
): ReadonlyMap<string, FormField> {
  const fields = new Map<string, FormField>();
  const { kind, contentType: type } = body;
  const hasStyles = kind === "form" || (version !== "3.0" && essenceOf(type) === "multipart/form-data");
  for (const [name, located] of propertiesOf(schema, references)) {
    const own_ = ownObject(encoding, name);
    const media = kind === "multipart" ? mediaTypeOfFile(located, references) : undefined;
    const contentType = plainType(ownText(own_, "contentType")) ?? media;
    const isFile = media !== undefined;
    const isStyled = hasStyles && !isFile && ["style", "explode", "allowReserved"].some((key) => own(own_, key) !== undefined);
    const style = isStyled ? readStyle(own_!, "query", version, () => undefined) : undefined;
    if (isFile || contentType !== undefined || style !== undefined)
      fields.set(name, { isFile, ...(contentType !== undefined && contentType !== "" && { contentType }), ...(style && { style }) });
  }
  return fields;
}

/** The first of several types; none for a wildcard, which says nothing about a part. */
function plainType(types: string | undefined): string | undefined {
  const first = types?.split(",")[0]!.trim();
  return first === undefined || first === "" || first.includes("*") ? undefined : first;
}

/** The media type of a member that holds bytes ("" if it is not told), or of the items of a list of such; undefined for all others. */
function mediaTypeOfFile(located: Located, references: References): string | undefined {
  const { schema, scope } = resolveSchema(located, references);
  const type = own(schema, "type");
  if (type === "array") {
    const items = own(schema, "items");
    return items === undefined ? undefined : mediaTypeOfFile({ schema: items, scope }, references);
  }
  if (type === "file" || own(schema, "format") === "binary") return "";
  const media = ownText(schema, "contentMediaType");
  return media !== undefined && own(schema, "contentEncoding") === undefined && type !== "object" ? media : undefined;
}

/** Fields of a form in Swagger 2: files, and arrays by their collection format. */
export function swaggerFields(parameters: readonly BodyParameter[]): ReadonlyMap<string, FormField> {
  const fields = new Map<string, FormField>();
  for (const { value } of parameters) {
    const name = ownText(value, "name");
    if (name === undefined) continue;
    const style: ValueStyle | undefined = own(value, "type") === "array" ? collectionStyle(value, "formData") : undefined;
    const isFile = own(value, "type") === "file";
    if (isFile || style !== undefined) fields.set(name, { isFile, ...(style && { style }) });
  }
  return fields;
}
