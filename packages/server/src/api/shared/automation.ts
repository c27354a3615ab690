import type { Maker } from "../../rack/automation/maker.ts";
import type { SchemaOf } from "../../http/route.ts";
import type { WaitingSchedule } from "../../rack/automation/schedules/schedules.ts";
import { objectOf } from "../_answers.ts";
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

export const pausedBySchema = {
  enum: ["server", "caller"],
  description: "server: it cannot go on until somebody mends what the reason names.",
} as const;

/** How long an old secret counts beside a new one. */
export const overlapSchema = {
  type: "object",
  properties: {
    overlapHours: { type: "number", minimum: 0, maximum: 720, default: 24, description: "How long the old secret counts as well." },
  },
  additionalProperties: false,
} as const;

/** A schedule that waits for a person. */
export const waitingScheduleSchema: SchemaOf<WaitingSchedule> = objectOf<WaitingSchedule>({
  id: { type: "string", description: "Among all questions." },
  kind: { const: "schedule" },
  schedule: { type: "string", description: "The id of the schedule." },
  tool: { type: "string" },
  input: { description: "The arguments." },
  when: { type: "string" },
  by: { type: "string" },
  runsAs: makerSchema,
  askedAt: { type: "number" },
  digest: { type: "string", description: "Send it with the decision." },
});
