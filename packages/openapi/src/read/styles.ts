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
  if (version === "2.0") return collectionStyle(own(value, "collectionFormat"), place);
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

/** Swagger 2 separates the items of an array by commas, unless it says otherwise. */
export function collectionStyle(format: unknown, place: ParameterPlace | "formData"): ValueStyle {
  const plain: ParameterStyle = place === "path" || place === "header" ? "simple" : "form";
  if (format === "multi") return { style: plain, explode: true, allowReserved: false };
  const style = format === "ssv" ? "spaceDelimited" : format === "tsv" ? "tabDelimited" : format === "pipes" ? "pipeDelimited" : plain;
  return { style, explode: false, allowReserved: false };
}
