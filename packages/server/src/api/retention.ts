import type { RetentionLimits } from "../config/retention.ts";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import type { RetentionCounts, RetentionRun } from "../rack/rack.ts";
import { objectOf, ok } from "./_answers.ts";

export interface RetentionReport {
  /** null: no limit. */
  readonly limits: { readonly [Name in keyof RetentionLimits]: number | null };
  readonly last?: RetentionRun;
}

export interface RetentionAnswers {
  "GET /retention": RetentionReport;
}

const limit = { type: ["number", "null"], description: "null: forever." } as const;
const count = { type: "integer" } as const;

const show = defineRoute({
  method: "GET",
  path: "/retention",
  id: "getRetention",
  group: "health",
  summary: "Show how long each kind of data is kept, and what this server removed last.",
  needs: ["curator"],
  answers: ok(
    "As it is configured, and as the last run left it.",
    objectOf<RetentionReport>(
      {
        limits: objectOf<RetentionReport["limits"]>({
          revisionsPerRecord: limit,
          deletedDays: limit,
          approvalsDays: limit,
          tasksHours: limit,
          sessionsDays: limit,
          answersHours: limit,
          eventsDays: limit,
          auditDays: limit,
          auditRows: limit,
        }),
        last: objectOf<RetentionRun>(
          {
            at: { type: "number" },
            removed: objectOf<RetentionCounts>({
              revisions: count,
              deleted: count,
              approvals: count,
              tasks: count,
              sessions: count,
              answers: count,
              auditLines: count,
            }),
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
function toFinite(limits: RetentionLimits): RetentionReport["limits"] {
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  const { revisionsPerRecord, deletedDays, approvalsDays, tasksHours, sessionsDays, answersHours, eventsDays, auditDays, auditRows } =
    limits;
  return {
    revisionsPerRecord: finite(revisionsPerRecord),
    deletedDays: finite(deletedDays),
    approvalsDays: finite(approvalsDays),
    tasksHours: finite(tasksHours),
    sessionsDays: finite(sessionsDays),
    answersHours: finite(answersHours),
    eventsDays: finite(eventsDays),
    auditDays: finite(auditDays),
    auditRows: finite(auditRows),
  };
}

export const retentionRoutes: RoutesOf<RetentionAnswers> = [show];
