import type { CallContext } from "@toolrack/core";

/**
 * The schedules of a server, as a tool sees them.
 * Contract: a caller sees and changes its own schedules alone, and a schedule of somebody else is as one that does not exist. What is added or
 * changed waits until a person approves it, and its runs never have more rights than its maker. A child of an agent changes no schedule that
 * its parent, or a person for its parent, made.
 */
export interface SchedulesHost {
  list(context: CallContext): Promise<readonly Schedule[]>;
  get(context: CallContext, id: string): Promise<Schedule | undefined>;
  /** Throws CONFIG_INVALID for a schedule that cannot be. */
  add(context: CallContext, id: string, plan: SchedulePlan): Promise<Schedule>;
  /** The parts that are given take the place of the earlier ones. Undefined if there is none. */
  change(context: CallContext, id: string, parts: Partial<SchedulePlan>): Promise<Schedule | undefined>;
  pause(context: CallContext, id: string): Promise<Schedule | undefined>;
  resume(context: CallContext, id: string): Promise<Schedule | undefined>;
  /** False if there is none. */
  remove(context: CallContext, id: string): Promise<boolean>;
  /** Runs it once, now. */
  run(context: CallContext, id: string): Promise<{ readonly job: string } | undefined>;
  /** The newest first. */
  runs(context: CallContext, id: string, limit: number): Promise<readonly ScheduleRun[] | undefined>;
}

/** When a tool is called: one of `at`, `everyMs` and `cron`. */
export interface SchedulePlan {
  readonly tool: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly at?: string;
  readonly everyMs?: number;
  readonly cron?: string;
  /** The time zone of `cron`. */
  readonly tz?: string;
  readonly description?: string;
}

export interface Schedule extends SchedulePlan {
  readonly id: string;
  readonly state: "active" | "paused" | "waiting" | "ended";
  /** Why it is paused or waits. */
  readonly reason?: string;
  /** ISO 8601. */
  readonly nextRun?: string;
  readonly lastRun?: { readonly due: string; readonly outcome: string; readonly job?: string; readonly reason?: string };
}

export interface ScheduleRun {
  readonly job: string;
  readonly state: string;
  /** ISO 8601. */
  readonly startedAt?: string;
  readonly endedAt?: string;
}
