import type { Caller } from "@toolrack/core";
import type { JobChange, JobError, JobState } from "@toolrack/store";
import { Problem } from "../http/reply/problem.ts";
import { defineRoute, type RouteRequest, type RoutesOf } from "../http/route.ts";
import type { Identity } from "../http/sign-in/identity.ts";
import type { ShownJob } from "../rack/jobs/jobs.ts";
import { type FieldsOf, listOf, objectOf, ok } from "./_answers.ts";
import { readSlices } from "./_pages.ts";
import { isOwn, seesOthers, shownCallerSchema } from "./shared/callers.ts";
import { visibleTools } from "./_visible.ts";

/** A job as lists show it. */
export interface JobSummary {
  readonly id: string;
  /** "call", "delivery". */
  readonly kind: string;
  readonly state: JobState;
  /** The tool that it calls, or the endpoint that it delivers to. */
  readonly subject: string;
  readonly origin: string;
  /** As whom it runs. */
  readonly caller?: Caller;
  readonly createdAt: number;
  readonly dueAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly attempt: number;
  readonly failed: number;
  readonly tries: number;
  readonly server?: string;
  readonly isCancelling?: true;
  /** The call of the latest attempt. */
  readonly callId?: string;
  readonly error?: JobError;
}

export interface JobDetails extends JobSummary {
  readonly key?: string;
  readonly input?: unknown;
  readonly progress?: unknown;
  readonly result?: unknown;
}

export interface JobList {
  readonly jobs: readonly JobSummary[];
  /** For `after` of the next page. */
  readonly next?: string;
}

export interface JobAnswers {
  "GET /jobs": JobList;
  "GET /jobs/{id}": JobDetails;
  "GET /jobs/{id}/wait": JobDetails;
  "POST /jobs/{id}/cancel": JobSummary;
  "POST /jobs/{id}/run": JobSummary;
  "POST /jobs/{id}/replay": JobSummary;
}

const text = { type: "string" } as const;
const number = { type: "number" } as const;
const whole = { type: "integer" } as const;
const states = ["waiting", "running", "done", "dead", "cancelled"] as const;
const byId = {
  type: "object",
  properties: { id: { type: "string", minLength: 1, maxLength: 200 } },
  required: ["id"],
  additionalProperties: false,
} as const;

const summaryFields: FieldsOf<JobSummary> = {
  id: text,
  kind: { ...text, description: '"call", or "delivery" of a webhook.' },
  state: { enum: states },
  subject: { ...text, description: "The tool that it calls, or the endpoint that it delivers to." },
  origin: { ...text, description: 'What made it: "call", "schedule:daily", "trigger:x", "hook:x", "startup:x".' },
  caller: { ...shownCallerSchema, additionalProperties: true },
  createdAt: number,
  dueAt: number,
  startedAt: number,
  endedAt: number,
  attempt: { ...whole, description: "How many attempts have begun." },
  failed: whole,
  tries: { ...whole, description: "How many attempts may fail before it is dead." },
  server: { ...text, description: "The server that runs it." },
  isCancelling: { const: true },
  callId: { ...text, description: "The call of the latest attempt." },
  error: objectOf<JobError>({ code: text, message: text }),
};
const summaryOptional = ["caller", "startedAt", "endedAt", "server", "isCancelling", "callId", "error"] as const;
const summarySchema = objectOf<JobSummary>(summaryFields, summaryOptional);
const detailsSchema = objectOf<JobDetails>(
  {
    ...summaryFields,
    key: text,
    input: { description: "The arguments." },
    progress: { description: "The latest report of the call." },
    result: { description: "The result of the call, once it is done." },
  },
  [...summaryOptional, "key", "input", "progress", "result"],
);

const list = defineRoute({
  method: "GET",
  path: "/jobs",
  id: "listJobs",
  group: "jobs",
  isHeavy: true,
  summary: "List jobs, the newest first: the own ones; with the role subscriber, all.",
  query: {
    type: "object",
    properties: {
      state: { enum: states },
      origin: { type: "string", minLength: 1, maxLength: 200 },
      after: { type: "string", minLength: 1, maxLength: 200, description: "See `next`." },
      limit: { type: "integer", minimum: 1, maximum: 500, default: 50 },
    },
    additionalProperties: false,
  },
  answers: ok("One page.", objectOf<JobList>({ jobs: listOf(summarySchema), next: text }, ["next"])),
  async run(request) {
    const { rack, query } = request;
    const { state, origin, after, limit } = query;
    const { items, hasMore } = await readSlices<ShownJob>({
      limit,
      read: (last, count) =>
        rack.jobs.list({
          ...(state !== undefined && { state }),
          ...(origin !== undefined && { origin }),
          ...((last?.id ?? after) !== undefined && { after: last?.id ?? after! }),
          limit: count,
        }),
    });
    const isShown = shownTo(request);
    const next = hasMore ? items.at(-1)?.id : undefined;
    return { body: { jobs: items.filter(isShown).map(toSummary), ...(next !== undefined && { next }) } };
  },
});

const show = defineRoute({
  method: "GET",
  path: "/jobs/{id}",
  id: "showJob",
  group: "jobs",
  summary: "Show a job: its state, progress and result.",
  params: byId,
  answers: ok("The job.", detailsSchema),
  run: async (request) => ({ body: toDetails(await demandJob(request, request.params.id)) }),
});

const waitFor = defineRoute({
  method: "GET",
  path: "/jobs/{id}/wait",
  id: "waitForJob",
  group: "jobs",
  summary: "Wait for a job to end, on any server. Answers with the job as it is then, or after the timeout.",
  params: byId,
  query: {
    type: "object",
    properties: { timeoutMs: { type: "integer", minimum: 1, maximum: 300_000, default: 30_000 } },
    additionalProperties: false,
  },
  answers: ok("The job.", detailsSchema),
  async run(request) {
    const { rack, params, query, signal } = request;
    await demandJob(request, params.id);
    await rack.jobs.waitFor(params.id, { timeoutMs: query.timeoutMs, signal });
    return { body: toDetails(await demandJob(request, params.id)) };
  },
});

const cancel = defineRoute({
  method: "POST",
  path: "/jobs/{id}/cancel",
  id: "cancelJob",
  group: "jobs",
  summary: "Cancel a job: at once while it waits; a running call is cancelled on its server.",
  params: byId,
  answers: ok("The job as it is now.", summarySchema),
  run: (request) => change(request, request.params.id, "job-cancelled", (id) => request.rack.jobs.cancel(id)),
});

const runNow = defineRoute({
  method: "POST",
  path: "/jobs/{id}/run",
  id: "runJob",
  group: "jobs",
  summary: "Run a waiting job now, whenever it is due.",
  params: byId,
  answers: ok("The job as it is now.", summarySchema),
  run: (request) => change(request, request.params.id, "job-run", (id) => request.rack.jobs.retry(id)),
});

const replay = defineRoute({
  method: "POST",
  path: "/jobs/{id}/replay",
  id: "replayJob",
  group: "jobs",
  summary: "Run a dead or cancelled job again, with all of its tries.",
  params: byId,
  answers: ok("The job as it is now.", summarySchema),
  run: (request) => change(request, request.params.id, "job-replayed", (id) => request.rack.jobs.replay(id)),
});

export const jobRoutes: RoutesOf<JobAnswers> = [list, show, waitFor, cancel, runNow, replay];

function maySee(identity: Identity, caller: Caller | undefined): boolean {
  return seesOthers(identity) || (caller !== undefined && isOwn(identity, caller));
}

/** The own jobs, or all; and none of a tool that the policy hides by now. */
function shownTo(request: Pick<RouteRequest, "rack" | "identity">): (job: ShownJob) => boolean {
  const isVisible = visibleTools(request);
  return ({ caller, kind, subject }) => maySee(request.identity, caller) && (kind !== "call" || isVisible(subject));
}

/** The same answer for a job that does not exist and for one of another caller. */
async function demandJob(request: Pick<RouteRequest, "rack" | "identity">, id: string): Promise<ShownJob> {
  const job = await request.rack.jobs.get(id);
  if (job === undefined || !shownTo(request)(job))
    throw new Problem(404, "NOT_FOUND", `There is no job "${id.slice(0, 100)}". See: toolrack jobs list`);
  return job;
}

async function change(
  request: Pick<RouteRequest, "rack" | "identity">,
  id: string,
  kind: string,
  make: (id: string) => Promise<JobChange>,
): Promise<{ readonly body: JobSummary }> {
  const { rack, identity } = request;
  const { caller, subject, kind: of } = await demandJob(request, id);
  // Deliveries belong to their webhook, which admins alone change.
  const [needed, others] = of === "delivery" ? (["admin", "Deliveries of webhooks"] as const) : (["curator", "Those of others"] as const);
  if (!(caller !== undefined && isOwn(identity, caller)) && !identity.roles.has(needed))
    throw new Problem(403, "ROLE_MISSING", `"${identity.agent}" may change its own jobs only. ${others} need the role "${needed}".`);
  const changed = await make(id);
  if (!changed.ok)
    throw new Problem(changed.code === "state" ? 409 : 404, changed.code === "state" ? "STATE_INVALID" : "NOT_FOUND", changed.message);
  await rack.audit({ kind, subject: id, by: identity, body: { tool: subject, caller } });
  return { body: toSummary(await demandJob(request, id)) };
}

function toSummary(job: ShownJob): JobSummary {
  const { id, kind, state, subject, origin, caller, createdAt, dueAt, startedAt, endedAt, attempt, failed, tries } = job;
  return {
    id,
    kind,
    state,
    subject,
    origin,
    createdAt,
    dueAt,
    attempt,
    failed,
    tries,
    ...(caller !== undefined && { caller }),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
    ...(job.holder !== undefined && { server: job.holder.replace(/\/\d+$/, "") }),
    ...(job.isCancelling && { isCancelling: true as const }),
    ...(job.callId !== undefined && { callId: job.callId }),
    ...(job.error !== undefined && { error: job.error }),
  };
}

function toDetails(job: ShownJob): JobDetails {
  const { key, input, progress, result } = job;
  return {
    ...toSummary(job),
    ...(key !== undefined && { key }),
    ...(input !== undefined && { input }),
    ...(progress !== undefined && { progress }),
    ...(result !== undefined && { result }),
  };
}
