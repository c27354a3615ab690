import { validateValue } from "@toolrack/json-schema";
import { StoreError } from "../errors.ts";
import type { Content } from "./breadcrumb.ts";
import { catalogSchema, configSchema, definitionSchema } from "./identity.ts";
import { configContextSchema } from "./schemas/config.ts";
import { definitionContextSchema } from "./schemas/definition.ts";

/** Validates a context against the published schema of its schema name. Other schema names may contain anything. */
export function checkShape({ schema_name, context }: Content): void {
  if (schema_name === catalogSchema) {
    throw new StoreError(
      "RECORD_INVALID",
      "The catalog is derived from the definitions and cannot be written. Write a definition instead.",
    );
  }
  const schema =
    schema_name === definitionSchema ? definitionContextSchema : schema_name === configSchema ? configContextSchema : undefined;
  if (schema === undefined) return;
  const checked = validateValue(schema, context);
  if (checked.ok) return;
  const reasons = checked.issues.slice(0, 5).map((issue) => issue.message);
  throw new StoreError("RECORD_INVALID", `The context is not a valid ${schema_name}: ${reasons.join(" ")}`);
}
