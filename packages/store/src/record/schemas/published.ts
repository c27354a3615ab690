import type { JsonSchema } from "@toolrack/json-schema";
import { catalogContextSchema } from "./catalog.ts";
import { changeSchema } from "./change.ts";
import { configContextSchema } from "./config.ts";
import { definitionContextSchema } from "./definition.ts";
import { recordSchema } from "./record.ts";
import { resultSchema } from "./result.ts";

/**
 * Every published contract, by the name of its file in contracts/: others validate against these. A tool as data is the context of its
 * definition.
 */
export const publishedSchemas: Readonly<Record<string, JsonSchema>> = Object.freeze({
  "tool.definition.v1": definitionContextSchema,
  "tool.config.v1": configContextSchema,
  "tool.catalog.v1": catalogContextSchema,
  record: recordSchema,
  change: changeSchema,
  result: resultSchema,
});
