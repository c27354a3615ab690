import type { JsonSchema } from "@toolrack/json-schema";
import { actionSchema } from "../workspace/actions.ts";

export interface CronInput {
  readonly action: "list" | "get" | "add" | "update" | "remove" | "run" | "runs";
  readonly jobId?: string;
  readonly tool?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly at?: string;
  readonly everyMs?: number;
  readonly cron?: string;
  readonly tz?: string;
  readonly description?: string;
  readonly enabled?: boolean;
  readonly limit?: number;
}

const plan = ["input", "at", "everyMs", "cron", "tz", "description"];

export const cronSchema: JsonSchema = actionSchema({
  description:
    "list and get show the own plans, runs what came of one; add makes a plan, update changes or pauses it, remove ends it, run runs it once now.",
  actions: {
    list: {},
    get: { needs: ["jobId"] },
    add: { needs: ["jobId", "tool"], takes: plan },
    update: { needs: ["jobId"], takes: ["enabled", "tool", ...plan] },
    remove: { needs: ["jobId"] },
    run: { needs: ["jobId"] },
    runs: { needs: ["jobId"], takes: ["limit"] },
  },
  properties: {
    jobId: {
      type: "string",
      minLength: 1,
      maxLength: 64,
      pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$",
      description: "The name of the plan: weekly-report.",
    },
    tool: { type: "string", minLength: 1, maxLength: 128, description: "The tool that is called." },
    input: { type: "object", description: "Its arguments." },
    at: { type: "string", maxLength: 40, description: "Once, at a time with its offset: 2026-12-24T18:00:00+01:00." },
    everyMs: { type: "integer", minimum: 10_000, maximum: 31_536_000_000, description: "Every so many milliseconds." },
    cron: { type: "string", minLength: 1, maxLength: 100, description: "Minute, hour, day, month, weekday: 0 7 * * 1-5. Needs tz." },
    tz: { type: "string", minLength: 1, maxLength: 60, description: "The time zone of cron: Europe/Berlin, UTC." },
    description: { type: "string", maxLength: 500, description: "Why the plan exists, for people." },
    enabled: { type: "boolean", description: "false pauses the plan, true resumes it." },
    limit: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "At most this many runs." },
  },
});

const text = { type: "string" } as const;
const job = {
  type: "object",
  properties: {
    jobId: text,
    tool: text,
    input: { type: "object" },
    at: text,
    everyMs: { type: "integer" },
    cron: text,
    tz: text,
    description: text,
    state: { type: "string", enum: ["active", "paused", "waiting", "ended"], description: "waiting: for a person." },
    reason: text,
    nextRun: text,
    lastRun: {
      type: "object",
      properties: { due: text, outcome: text, job: text, reason: text },
      required: ["due", "outcome"],
    },
  },
  required: ["jobId", "tool", "state"],
} as const;
const run = {
  type: "object",
  properties: { job: text, state: text, startedAt: text, endedAt: text },
  required: ["job", "state"],
} as const;

export const cronOutput: JsonSchema = {
  type: "object",
  properties: {
    jobs: { type: "array", items: job, description: "For list." },
    job,
    note: text,
    removed: text,
    run,
    runs: { type: "array", items: run, description: "For runs, the newest first." },
  },
};
