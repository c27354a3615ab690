import type { ToolDefinition } from "@toolrack/core";
import { type JsonSchema, validateValue } from "@toolrack/json-schema";
import { type JsonObject, refuseLiteralSecrets } from "@toolrack/store";
import { Problem } from "../../http/reply/problem.ts";

/** Incomplete settings are allowed: the tool needs configuration until they are complete. Errors name the field. */
export function checkToolSettings({ name, metadata }: ToolDefinition, values: JsonObject): void {
  const { required: _, ...partial } = metadata!.configSchema as JsonSchema & { readonly required?: unknown };
  const checked = validateValue(partial, values);
  if (checked.ok) return refuseLiteralSecrets(name, partial, values);
  const sentences = checked.issues.slice(0, 5).map((issue) => issue.message);
  throw new Problem(400, "CONFIG_INVALID", `The settings of "${name}" are wrong: ${sentences.join(" ")}`, {
    tool: name,
    issues: checked.issues,
  });
}
