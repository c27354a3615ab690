import { Problem } from "../http/reply/problem.ts";
import { defineRoute, type RoutesOf, type SchemaOf } from "../http/route.ts";
import { eventTypes, triggerMembers } from "../config/automation.ts";
import type { SampleEvent, TriggerInfo, TriggerSpec, TriggerTest } from "../rack/automation/triggers/triggers.ts";
import { listOf, nothing, objectOf, ok } from "./_answers.ts";
import { byId, idSchema, makerSchema, pausedBySchema, specSchema } from "./shared/automation.ts";
import { callerFor } from "./shared/callers.ts";

export interface TriggerList {
  readonly triggers: readonly TriggerInfo[];
}

export interface TriggerAnswers {
  "GET /triggers": TriggerList;
  "POST /triggers": TriggerInfo;
  "GET /triggers/{id}": TriggerInfo;
  "POST /triggers/{id}/pause": TriggerInfo;
  "POST /triggers/{id}/resume": TriggerInfo;
  "POST /triggers/{id}/test": TriggerTest;
  "DELETE /triggers/{id}": undefined;
}

const text = { type: "string" } as const;
const number = { type: "number" } as const;
const infoSchema = objectOf<TriggerInfo>(
  {
    id: text,
    spec: specSchema as SchemaOf<TriggerSpec>,
    state: { enum: ["active", "paused"] },
    reason: text,
    pausedBy: pausedBySchema,
    runsAs: makerSchema,
    madeBy: text,
    madeAt: number,
    origin: text,
    problem: {
      ...objectOf<NonNullable<TriggerInfo["problem"]>>({ event: text, at: number, reason: text }),
      description: "The latest event that called nothing, on this server.",
    },
    skipped: {
      ...objectOf<NonNullable<TriggerInfo["skipped"]>>({ count: number, event: text, at: number, reason: text }),
      description:
        "How many of the events that it chooses called nothing since this server started, with the latest of them and its reason: what the agent that it runs as did itself, and what is a problem.",
    },
  },
  ["reason", "pausedBy", "problem", "skipped"],
);

const list = defineRoute({
  method: "GET",
  path: "/triggers",
  id: "listTriggers",
  group: "automation",
  summary: "List triggers: which events call which tool, and as whom.",
  needs: ["subscriber", "curator", "admin"],
  answers: ok("By id.", objectOf<TriggerList>({ triggers: listOf(infoSchema) })),
  run: ({ rack }) => ({ body: { triggers: rack.automation.triggers.list() } }),
});

const add = defineRoute({
  method: "POST",
  path: "/triggers",
  id: "addTrigger",
  group: "automation",
  summary: "Call a tool when a record changes, a call ends, a person is asked or a secret is missing.",
  needs: ["curator", "admin"],
  body: {
    type: "object",
    properties: {
      id: idSchema,
      agent: {
        ...text,
        minLength: 1,
        maxLength: 128,
        description: "The agent that its calls run as; another one than the own needs the role admin.",
      },
      ...triggerMembers,
    },
    required: ["id", "tool", "on"],
    additionalProperties: false,
  },
  answers: { 201: { description: "The trigger.", schema: infoSchema } },
  async run(request) {
    const { id, agent, ...spec } = request.body as { readonly id: string; readonly agent?: string };
    const isOther = agent !== undefined && agent !== request.identity.agent;
    const caller = callerFor(request, isOther ? { runAs: { agent } } : {});
    return { status: 201, body: await request.rack.automation.triggers.add({ id, spec, caller, by: request.identity }) };
  },
});

const show = defineRoute({
  method: "GET",
  path: "/triggers/{id}",
  id: "showTrigger",
  group: "automation",
  summary: "Show a trigger.",
  needs: ["subscriber", "curator", "admin"],
  params: byId,
  answers: ok("The trigger.", infoSchema),
  run: ({ rack, params }) => ({ body: rack.automation.triggers.get(params.id) ?? gone(params.id) }),
});

const pause = defineRoute({
  method: "POST",
  path: "/triggers/{id}/pause",
  id: "pauseTrigger",
  group: "automation",
  summary: "Pause a trigger. Events that happen meanwhile call nothing.",
  needs: ["curator", "admin"],
  params: byId,
  answers: ok("The trigger.", infoSchema),
  run: async ({ rack, params, identity }) => ({ body: (await rack.automation.triggers.pause(params.id, identity)) ?? gone(params.id) }),
});

const resume = defineRoute({
  method: "POST",
  path: "/triggers/{id}/resume",
  id: "resumeTrigger",
  group: "automation",
  summary: "Resume a paused trigger, for events from now on.",
  needs: ["curator", "admin"],
  params: byId,
  answers: ok("The trigger.", infoSchema),
  run: async ({ rack, params, identity }) => ({ body: (await rack.automation.triggers.resume(params.id, identity)) ?? gone(params.id) }),
});

const sampleSchema = {
  type: "object",
  properties: {
    type: { enum: eventTypes, description: "Absent: the first type that the trigger waits for." },
    record: {
      type: "object",
      properties: {
        schema_name: { ...text, maxLength: 200 },
        title: text,
        tags: { type: "array", items: text, maxItems: 100 },
        context: { type: "object" },
      },
    },
    tool: text,
    agent: text,
  },
  description: "An event, as the tool or the mapping would get it.",
} as const;

const test = defineRoute({
  method: "POST",
  path: "/triggers/{id}/test",
  id: "testTrigger",
  group: "automation",
  summary: "Tell what a trigger would do with an event. Nothing is called.",
  needs: ["curator", "admin"],
  params: byId,
  body: { type: "object", properties: { event: sampleSchema }, required: ["event"], additionalProperties: false },
  answers: ok(
    "Whether its selector chooses the event, and what the tool would be called with, or why nothing would be called.",
    objectOf<TriggerTest>({ isChosen: { type: "boolean" }, input: specSchema, fault: text }, ["input", "fault"]),
  ),
  run: async ({ rack, params, body }) => ({
    body: (await rack.automation.triggers.test(params.id, body.event as SampleEvent)) ?? gone(params.id),
  }),
});

const remove = defineRoute({
  method: "DELETE",
  path: "/triggers/{id}",
  id: "removeTrigger",
  group: "automation",
  summary: "Remove a trigger.",
  needs: ["curator", "admin"],
  params: byId,
  answers: nothing,
  async run({ rack, params, identity }) {
    if (!(await rack.automation.triggers.remove(params.id, identity))) gone(params.id);
    return { status: 204 };
  },
});

export const triggerRoutes: RoutesOf<TriggerAnswers> = [list, add, show, pause, resume, test, remove];

function gone(id: string): never {
  throw new Problem(404, "NOT_FOUND", `There is no trigger "${id.slice(0, 64)}". See: toolrack triggers list`);
}
