import { ToolError } from "@toolrack/core";
import { describeValue } from "@toolrack/json-schema/internal";
import { own } from "./json.ts";

/** The lines of the specification that are read, each with its rules. */
export type SpecVersion = "2.0" | "3.0" | "3.1" | "3.2";

/** The version of a document; throws for one that is not an OpenAPI document, or of a version whose rules are unknown. */
export function readVersion(root: object): SpecVersion {
  const swagger = own(root, "swagger");
  const openapi = own(root, "openapi");
  // An unquoted 2.0 or 3.1 in YAML is a number.
  const given = openapi ?? swagger;
  const text = typeof given === "number" ? String(given) : given;
  const [, line] = (typeof text === "string" && /^(\d+(?:\.\d+)?)(?:\.|$|-)/.exec(text)) || [];
  if (openapi === undefined && (line === "2.0" || line === "2")) return "2.0";
  if (line === "3.0" || line === "3") return "3.0";
  if (line === "3.1" || line === "3.2") return line;
  const fact =
    given === undefined
      ? 'has neither "openapi" nor "swagger", so it is not an OpenAPI document'
      : `has the version ${typeof text === "string" ? JSON.stringify(text.slice(0, 40)) : describeValue(given)}`;
  throw new ToolError("DEFINITION_INVALID", `The document ${fact}. Give a document of OpenAPI 3.0, 3.1 or 3.2, or of Swagger 2.0.`);
}
