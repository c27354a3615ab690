import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";

/**
 * A schema that validates nothing, because the call does. Its type is that of a Standard Schema, which every version of the AI SDK takes;
 * at run time it is also what `jsonSchema()` of the package ai creates, so that the JSON Schema reaches the model as it is.
 */
export interface AiSdkSchema {
  // Any: the schema does not say what the input is.
  readonly "~standard": StandardSchemaV1.Props<any> & StandardJSONSchemaV1.Props<any>;
}

/** The mark of schemas in the package ai. */
export const aiSdkMark: unique symbol = Symbol.for("vercel.ai.schema") as never;

export function aiSdkSchema(jsonSchema: Record<string, unknown>): AiSdkSchema {
  const shown = (): Record<string, unknown> => jsonSchema;
  const schema = {
    [aiSdkMark]: true,
    jsonSchema,
    validate: undefined,
    "~standard": {
      version: 1,
      vendor: "toolrack",
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: shown, output: shown },
    },
  } as const;
  return schema;
}
