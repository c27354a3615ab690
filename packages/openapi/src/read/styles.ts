import type { JsonObject } from "@toolrack/json-schema/internal";
import { own, ownText } from "../document/json.ts";
import type { SpecVersion } from "../document/version.ts";
import type { ParameterPlace, ParameterStyle, ValueStyle } from "../operation.ts";

const styles: Readonly<Record<ParameterPlace, readonly ParameterStyle[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  querystring: ["form"],
  header: ["simple"],
  cookie: ["form", "cookie"],
};

/** How the value of a parameter is written; the first style of a place is its default, and only form is exploded by default. */
export function readStyle(value: JsonObject, place: ParameterPlace, version: SpecVersion, warn: (message: string) => void): ValueStyle {
  if (version === "2.0") return collectionStyle(value, place);
  const given = ownText(value, "style");
  const known = styles[place].find((style) => style === given);
  if (given !== undefined && known === undefined)
    warn(`The style "${given.slice(0, 40)}" does not exist in ${place}: ${styles[place][0]} is used.`);
  const style = known ?? styles[place][0]!;
  const explode = own(value, "explode");
  return {
    style,
    explode: typeof explode === "boolean" ? explode : style === "form" || style === "cookie",
    allowReserved: own(value, "allowReserved") === true,
  };
}

/** Swagger 2 separates the items of an array by commas, unless it says otherwise, and so the items of each array in it. */
export function collectionStyle(parameter: JsonObject, place: ParameterPlace | "formData"): ValueStyle {
  const plain: ParameterStyle = place === "path" || place === "header" ? "simple" : "form";
  const format = own(parameter, "collectionFormat");
  const inner = innerStyles(own(parameter, "items"));
  return { style: delimited(format) ?? plain, explode: format === "multi", allowReserved: false, ...(inner.length > 0 && { inner }) };
}

function delimited(format: unknown): ParameterStyle | undefined {
  return format === "ssv" ? "spaceDelimited" : format === "tsv" ? "tabDelimited" : format === "pipes" ? "pipeDelimited" : undefined;
}

const maxLevels = 10;

function innerStyles(items: unknown): readonly ParameterStyle[] {
  const styles: ParameterStyle[] = [];
  for (let level = items; own(level, "type") === "array" && styles.length < maxLevels; level = own(level, "items"))
    styles.push(delimited(own(level, "collectionFormat")) ?? "simple");
  return styles;
}
