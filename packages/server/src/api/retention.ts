import type { RetentionLimits } from "../config/retention.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { objectOf, ok } from "./_answers.ts";

const limit = { type: ["number", "null"], description: "null: for ever." } as const;
const count = { type: "integer" } as const;

const show = defineRoute({
  method: "GET",
  path: "/retention",
  id: "getRetention",
  group: "health",
  summary: "Tell how long each kind of data is kept, and what this server removed last.",
  needs: ["curator"],
  answers: ok(
    "As it is configured, and as the last run left it.",
    objectOf(
      {
        limits: objectOf({
          revisionsPerRecord: limit,
          deletedDays: limit,
          approvalsDays: limit,
          tasksHours: limit,
          answersHours: limit,
          eventsDays: limit,
          auditDays: limit,
          auditRows: limit,
        }),
        last: objectOf(
          {
            at: { type: "number" },
            removed: objectOf({ revisions: count, deleted: count, approvals: count, tasks: count, answers: count, auditLines: count }),
            error: { type: "string" },
          },
          ["error"],
        ),
      },
      ["last"],
    ),
  ),
  run({ rack }) {
    const { limits } = rack.retention;
    const last = rack.retention.last();
    return { body: { limits: toFinite(limits), ...(last && { last }) } };
  },
});

/** JSON has no Infinity. */
function toFinite(limits: RetentionLimits): Readonly<Record<string, number | null>> {
  return Object.fromEntries(Object.entries(limits).map(([name, value]: [string, number]) => [name, Number.isFinite(value) ? value : null]));
}

export const retentionRoutes: readonly Route[] = [show];
