import type { Caller } from "@toolrack/core";
import type { Author } from "../../audit/author.ts";
import type { PausedBy } from "../kept.ts";
import type { Maker } from "../maker.ts";
import type { ScheduleSpec } from "./spec.ts";

/** Calls that are made at times. */
export interface Schedules {
  /** By id. */
  list(): readonly ScheduleInfo[];
  /** With its next five times. */
  get(id: string): Promise<ScheduleDetails | undefined>;
  /**
   * Throws CONFIG_INVALID for a schedule that cannot be, and RATE_LIMITED beyond the limits. What a caller without a person behind it makes waits
   * until somebody approves it.
   */
  add(schedule: NewSchedule): Promise<ScheduleDetails>;
  /** The plan with the parts that `spec` has, checked as `add` does. Undefined if there is none; throws STATE_INVALID for one of the file. */
  change(schedule: NewSchedule): Promise<ScheduleDetails | undefined>;
  /** Undefined if there is none. Throws STATE_INVALID where it cannot be paused. */
  pause(id: string, by: Author): Promise<ScheduleDetails | undefined>;
  /** What somebody else paused, or the server, only `overrules` resumes. */
  resume(id: string, by: Author, overrules?: boolean): Promise<ScheduleDetails | undefined>;
  /** Approves exactly what was looked at, or removes it. */
  decide(id: string, decision: ScheduleDecision): Promise<ScheduleDetails | undefined>;
  /** Runs it now, beside its times, also while it is paused, as `resume` could. Returns the id of the job. */
  run(id: string, by: Author, overrules?: boolean): Promise<{ readonly job: string } | undefined>;
  remove(id: string, by: Author): Promise<boolean>;
  /** Those that wait for a person. */
  waiting(): readonly WaitingSchedule[];
}

/** A question to a person. */
export interface WaitingSchedule {
  /** "schedule-daily": among all questions. */
  readonly id: string;
  readonly kind: "schedule";
  /** Its own id. */
  readonly schedule: string;
  readonly tool: string;
  /** As people see it. */
  readonly input: unknown;
  /** When: "every 600 s", "0 7 * * * (Europe/Berlin)". */
  readonly when: string;
  readonly by: string;
  readonly runsAs: Maker;
  readonly askedAt: number;
  readonly digest: string;
}

export interface NewSchedule {
  readonly id: string;
  readonly spec: unknown;
  /** Who makes it: its runs have no more rights, and are never those of the owner. */
  readonly caller: Caller;
  readonly by: Author;
  /** What its maker knows of its parts, by JSON Pointer: { "/input/to": ["untrusted"] }. With text of others in it, it waits for a person. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** Whether it waits for a person whoever makes it: a tool is called by models, also in an owner's run. @default false */
  readonly asksPerson?: boolean;
}

export interface ScheduleDecision {
  readonly approved: boolean;
  /** The digest of the schedule that was looked at. */
  readonly digest: string;
  readonly by: Author;
}

/** "waiting": for a person who approves it. "ended": it has no further time. */
export type ScheduleState = "active" | "paused" | "waiting" | "ended";

export interface ScheduleInfo {
  readonly id: string;
  /** Its input as people see it. */
  readonly spec: ScheduleSpec;
  readonly state: ScheduleState;
  /** Why it is paused or waits. */
  readonly reason?: string;
  readonly pausedBy?: PausedBy;
  /** As whom it runs. */
  readonly runsAs: Maker;
  readonly madeBy: string;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** "api", or the line of the file. */
  readonly origin: string;
  /** Of what it does and as whom. */
  readonly digest: string;
  readonly nextAt?: number;
  readonly last?: ScheduleRun;
}

export interface ScheduleDetails extends ScheduleInfo {
  /** The next five times. */
  readonly next: readonly number[];
}

/** What came of the latest due time. */
export interface ScheduleRun {
  /** The time it was due. */
  readonly due: number;
  /** "missed": no server ran then. "overlap": the run before was not over. "refused": see `reason`. */
  readonly outcome: "started" | "missed" | "overlap" | "refused";
  readonly job?: string;
  readonly reason?: string;
}
