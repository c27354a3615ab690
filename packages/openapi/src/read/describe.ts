import type { JsonObject } from "@toolrack/json-schema/internal";
import { own, ownText } from "../document/json.ts";
import { createOnce } from "../document/once.ts";
import type { References } from "../document/references.ts";
import type { WantedProperty } from "../names/property-names.ts";
import type { BodyPlan, OpenApiToolDescription, ParameterPlan } from "../operation.ts";
import { shorten } from "../schema/repair.ts";
import type { RawOperation } from "./raw-operations.ts";

/** Whole descriptions are kept, compared and given to models: a document could hold one of any length. */
const longestDescription = 50_000;

/** What a tool says about its operation. */
export function describeOperation(
  raw: RawOperation,
  references: References,
  wanted: readonly WantedProperty[],
  properties: readonly string[],
  body: BodyPlan | undefined,
  security: OpenApiToolDescription["security"],
  server: string | undefined,
): OpenApiToolDescription {
  const parameters = wanted.flatMap(({ in: place, name }, index) => {
    const isOwnName = place === "body" && (body?.spread === undefined || properties[index] === name);
    return isOwnName ? [] : [{ property: properties[index]!, in: place as ParameterPlan["in"] | "body", name }];
  });
  return {
    ...(raw.operationId !== undefined && { operationId: raw.operationId }),
    method: raw.method,
    path: raw.path,
    parameters,
    ...(body !== undefined && {
      body: {
        contentType: body.contentType,
        required: body.required,
        ...(body.property === undefined ? { spread: true as const } : { property: body.property }),
      },
    }),
    security,
    deprecated: own(raw.value, "deprecated") === true,
    description: texts(references, raw.value, () => wholeText(raw)),
    tags: raw.tags,
    ...(server !== undefined && { server }),
  };
}

/** Paths may share an operation by reference: then they share its text, which may be as long as the document. */
const texts = createOnce<JsonObject, string>();

function wholeText({ value, operation }: RawOperation): string {
  const summary = ownText(value, "summary");
  const description = ownText(value, "description");
  const parts = [summary, description === summary ? undefined : description].filter((text) => text !== undefined);
  return shorten(parts.map((text) => text.slice(0, longestDescription + 1)).join("\n\n") || operation, longestDescription);
}
