import type { RackConfig } from "./config.ts";

/** How long each kind of data is kept, with defaults. Infinity: forever. */
export interface RetentionLimits {
  readonly revisionsPerRecord: number;
  readonly deletedDays: number;
  readonly approvalsDays: number;
  readonly tasksHours: number;
  readonly answersHours: number;
  readonly sessionsDays: number;
  readonly eventsDays: number;
  readonly auditDays: number;
  readonly auditRows: number;
}

export const retentionDefaults: RetentionLimits = {
  revisionsPerRecord: 200,
  deletedDays: 90,
  approvalsDays: 30,
  tasksHours: 168,
  answersHours: 24,
  sessionsDays: Number.POSITIVE_INFINITY,
  eventsDays: 7,
  auditDays: Number.POSITIVE_INFINITY,
  auditRows: Number.POSITIVE_INFINITY,
};

/** `audit.maxAgeDays` and `audit.maxRows` are the older names of `retention.auditDays` and `retention.auditRows`, which take precedence. */
export function retentionOf({ retention = {}, audit = {} }: Pick<RackConfig, "retention" | "audit">): RetentionLimits {
  const said = { auditDays: audit.maxAgeDays, auditRows: audit.maxRows, ...retention };
  const limits = { ...retentionDefaults };
  for (const name of Object.keys(limits) as (keyof RetentionLimits)[]) {
    const value = said[name];
    if (value !== undefined) limits[name as "auditRows"] = value === "forever" ? Number.POSITIVE_INFINITY : value;
  }
  return limits;
}
