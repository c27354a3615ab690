import { Problem } from "../http/reply/problem.ts";
import { defineRoute, type RouteRequest, type RoutesOf, type SchemaOf } from "../http/route.ts";
import { scheduleMembers } from "../config/automation.ts";
import type { NewSchedule, ScheduleDetails, ScheduleInfo, ScheduleRun } from "../rack/automation/schedules/schedules.ts";
import type { ScheduleSpec } from "../rack/automation/schedules/spec.ts";
import { type FieldsOf, listOf, nothing, objectOf, ok } from "./_answers.ts";
import { nextOffset, pageOf, type PageQuery, pageQuery } from "./_pages.ts";
import { byId, idSchema, makerSchema, pausedBySchema, specSchema } from "./shared/automation.ts";
import { callerFor, isOwn, ownFacts, seesOthers } from "./shared/callers.ts";

export interface ScheduleList {
  readonly schedules: readonly ScheduleInfo[];
  readonly next?: number;
}

export interface StartedJob {
  /** The id of the job that runs it. */
  readonly job: string;
}

export interface ScheduleAnswers {
  "GET /schedules": ScheduleList;
  "POST /schedules": ScheduleDetails;
  "GET /schedules/{id}": ScheduleDetails;
  "POST /schedules/{id}/pause": ScheduleDetails;
  "POST /schedules/{id}/resume": ScheduleDetails;
  "POST /schedules/{id}/run": StartedJob;
  "DELETE /schedules/{id}": undefined;
}

const text = { type: "string" } as const;
const time = { type: "number", description: "Milliseconds since 1970." } as const;

const infoFields: FieldsOf<ScheduleInfo> = {
  id: text,
  spec: specSchema as SchemaOf<ScheduleSpec>,
  state: {
    enum: ["active", "paused", "waiting", "ended"],
    description: "waiting: for a person who approves it. ended: it has no further time.",
  },
  reason: text,
  pausedBy: pausedBySchema,
  runsAs: makerSchema,
  madeBy: text,
  madeAt: time,
  origin: { ...text, description: "api, or the line of the file." },
  digest: { ...text, description: "Of what it does and as whom." },
  nextAt: time,
  last: objectOf<ScheduleRun>({ due: time, outcome: { enum: ["started", "missed", "overlap", "refused"] }, job: text, reason: text }, [
    "job",
    "reason",
  ]),
};
const optional = ["reason", "pausedBy", "nextAt", "last"] as const;
const detailsSchema = objectOf<ScheduleDetails>(
  { ...infoFields, next: { ...listOf<number>(time), description: "The next five times." } },
  optional,
);

const list = defineRoute({
  method: "GET",
  path: "/schedules",
  id: "listSchedules",
  group: "automation",
  summary: "List schedules: the own ones; with the role subscriber, all of them.",
  query: { type: "object", properties: pageQuery, additionalProperties: false },
  answers: ok(
    "By id.",
    objectOf<ScheduleList>({ schedules: listOf(objectOf<ScheduleInfo>(infoFields, optional)), next: nextOffset }, ["next"]),
  ),
  run({ rack, identity, query }) {
    const seen = rack.automation.schedules.list().filter(({ runsAs }) => seesOthers(identity) || isOwn(identity, runsAs));
    const { items: schedules, ...rest } = pageOf(seen, query as PageQuery);
    return { body: { schedules, ...rest } };
  },
});

const add = defineRoute({
  method: "POST",
  path: "/schedules",
  id: "addSchedule",
  group: "automation",
  summary: "Call a tool at times: once, every so often, or by cron. What an agent without the role curator adds waits for a person.",
  body: {
    type: "object",
    properties: {
      id: idSchema,
      agent: {
        ...text,
        minLength: 1,
        maxLength: 128,
        description: "The agent that it runs as; another one than the own needs the role admin.",
      },
      run: ownFacts.run,
      labels: {
        type: "object",
        additionalProperties: { type: "array", items: { enum: ["untrusted", "private", "secret"] }, maxItems: 3 },
        maxProperties: 100,
        description:
          'What is known of its parts: {"/input/to": ["untrusted"]}. With text of others in it, it waits for a person, whoever adds it.',
      },
      ...scheduleMembers,
    },
    required: ["id", "tool"],
    additionalProperties: false,
  },
  answers: { 201: { description: "The schedule.", schema: detailsSchema } },
  async run(request) {
    const { id, agent, run, labels, ...spec } = request.body as Pick<NewSchedule, "id" | "labels"> & {
      readonly agent?: string;
      readonly run?: string;
    };
    const isOther = agent !== undefined && agent !== request.identity.agent;
    const caller = callerFor(request, isOther ? { runAs: { agent } } : {});
    // The run of a job that makes a schedule says so here, and only loses by it. An admin who makes one for another agent is the person behind it.
    const stated = run === undefined ? caller : { ...caller, run };
    return {
      status: 201,
      body: await request.rack.automation.schedules.add({
        id,
        spec,
        caller: stated,
        by: request.identity,
        ...(labels && { labels }),
      }),
    };
  },
});

const show = defineRoute({
  method: "GET",
  path: "/schedules/{id}",
  id: "showSchedule",
  group: "automation",
  summary: "Show a schedule, with its next five times and what came of the latest one.",
  params: byId,
  answers: ok("The schedule.", detailsSchema),
  run: async (request) => ({ body: await demand(request, request.params.id) }),
});

const pause = defineRoute({
  method: "POST",
  path: "/schedules/{id}/pause",
  id: "pauseSchedule",
  group: "automation",
  summary: "Pause a schedule: its times pass without a call.",
  params: byId,
  answers: ok("The schedule.", detailsSchema),
  async run(request) {
    await demandOwn(request, request.params.id);
    return { body: (await request.rack.automation.schedules.pause(request.params.id, request.identity)) ?? gone(request.params.id) };
  },
});

const resume = defineRoute({
  method: "POST",
  path: "/schedules/{id}/resume",
  id: "resumeSchedule",
  group: "automation",
  summary: "Resume a paused schedule, from its next time on.",
  params: byId,
  answers: ok("The schedule.", detailsSchema),
  async run(request) {
    const { rack, params, identity } = request;
    await demandOwn(request, params.id);
    return { body: (await rack.automation.schedules.resume(params.id, identity, identity.roles.has("curator"))) ?? gone(params.id) };
  },
});

const runNow = defineRoute({
  method: "POST",
  path: "/schedules/{id}/run",
  id: "runSchedule",
  group: "automation",
  summary: "Run a schedule now, beside its times.",
  params: byId,
  answers: { 202: { description: "The job that runs it.", schema: objectOf<StartedJob>({ job: text }) } },
  async run(request) {
    const { rack, params, identity } = request;
    await demandOwn(request, params.id);
    const started = await rack.automation.schedules.run(params.id, identity, identity.roles.has("curator"));
    return { status: 202, body: started ?? gone(params.id) };
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/schedules/{id}",
  id: "removeSchedule",
  group: "automation",
  summary: "Remove a schedule. A run that has begun goes on.",
  params: byId,
  answers: nothing,
  async run(request) {
    await demandOwn(request, request.params.id);
    if (!(await request.rack.automation.schedules.remove(request.params.id, request.identity))) gone(request.params.id);
    return { status: 204 };
  },
});

export const scheduleRoutes: RoutesOf<ScheduleAnswers> = [list, add, show, pause, resume, runNow, remove];

type Asking = Pick<RouteRequest, "rack" | "identity">;

/** The same answer for a schedule that does not exist and for one of another caller. */
async function demand({ rack, identity }: Asking, id: string): Promise<ScheduleDetails> {
  const found = await rack.automation.schedules.get(id);
  return found === undefined || !(seesOthers(identity) || isOwn(identity, found.runsAs)) ? gone(id) : found;
}

async function demandOwn(request: Asking, id: string): Promise<void> {
  const { runsAs } = await demand(request, id);
  const { identity } = request;
  if (!isOwn(identity, runsAs) && !identity.roles.has("curator"))
    throw new Problem(
      403,
      "ROLE_MISSING",
      `"${identity.agent}" may change its own schedules only. Those of others need the role "curator".`,
    );
}

function gone(id: string): never {
  throw new Problem(404, "NOT_FOUND", `There is no schedule "${id.slice(0, 64)}". See: toolrack schedules list`);
}
