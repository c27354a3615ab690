import type { JsonSchema } from "@toolrack/json-schema";

/** The required and optional parameters of one action of a tool. */
export interface ActionRule {
  readonly needs?: readonly string[];
  readonly takes?: readonly string[];
}

export interface ActionSchemaOptions {
  /** What the parameter `action` is for. */
  readonly description: string;
  readonly actions: Readonly<Record<string, ActionRule>>;
  /** Every other parameter of any action. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  /** Needed by every action. */
  readonly required?: readonly string[];
}

/** The schema of a tool with several actions: each action has its own parameters, and others are refused by name. */
export function actionSchema({ description, actions, properties, required = [] }: ActionSchemaOptions): JsonSchema {
  return {
    type: "object",
    properties: { action: { type: "string", enum: Object.keys(actions), description }, ...properties },
    required: ["action", ...required],
    allOf: Object.entries(actions).map(([action, { needs = [], takes = [] }]) => ({
      if: { properties: { action: { const: action } }, required: ["action"] },
      then: {
        properties: Object.fromEntries(["action", ...required, ...needs, ...takes].map((name) => [name, {}])),
        required: [...needs],
        additionalProperties: false,
      },
    })),
  };
}
