import { own, ownText } from "../document/json.ts";
import type { WantedProperty } from "../names/property-names.ts";
import type { BodyPlan, OpenApiToolDescription, ParameterPlan } from "../operation.ts";
import { shorten } from "../schema/repair.ts";
import type { RawOperation } from "./raw-operations.ts";

/** Whole descriptions are kept, compared and given to models: a document could hold one of any length. */
const longestDescription = 50_000;

/** What a tool says about its operation. */
export function describeOperation(
  raw: RawOperation,
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
  const summary = ownText(raw.value, "summary");
  const description = ownText(raw.value, "description");
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
    description: shorten(
      [summary, description === summary ? undefined : description].filter((text) => text !== undefined).join("\n\n") || raw.operation,
      longestDescription,
    ),
    tags: raw.tags,
    ...(server !== undefined && { server }),
  };
}
