import type { Maker } from "../../rack/automation/maker.ts";
import type { SchemaOf } from "../../http/route.ts";
import { shownCallerSchema } from "./callers.ts";

/** The id of a schedule, a trigger or a webhook, in a path or a body. */
export const idSchema = { type: "string", minLength: 1, maxLength: 64 } as const;
export const byId = {
  type: "object",
  properties: { id: { type: "string", minLength: 1, maxLength: 64 } },
  required: ["id"],
  additionalProperties: false,
} as const;

export const makerSchema: SchemaOf<Maker> = shownCallerSchema;
/** Checked when it was made. */
export const specSchema = { type: "object", additionalProperties: true } as const;

/** How long an old secret counts beside a new one. */
export const overlapSchema = {
  type: "object",
  properties: {
    overlapHours: { type: "number", minimum: 0, maximum: 720, default: 24, description: "How long the old secret counts as well." },
  },
  additionalProperties: false,
} as const;
