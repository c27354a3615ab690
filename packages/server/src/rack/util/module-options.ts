import { type JsonSchema, validateValue } from "@toolrack/json-schema";

export type ModuleOptions = Readonly<Record<string, unknown>>;

/** The options of a pack or type of source that declares none. */
const noOptions: JsonSchema = { type: "object", additionalProperties: false };

/**
 * The options of a pack or source with the defaults of their schema, or what is wrong with them. That names no value, since any may be a
 * credential and everybody who sees the source sees the error.
 */
export function readOptions(
  schema: JsonSchema | undefined,
  options: ModuleOptions,
): { readonly value: ModuleOptions; readonly fault?: string } {
  const checked = validateValue(schema ?? noOptions, options);
  if (checked.ok) return { value: checked.value as ModuleOptions };
  const fault = checked.issues.map(({ path, expected }) => `${path === "" ? "they" : path} must be ${expected}`).join("; ");
  return { value: options, fault };
}
