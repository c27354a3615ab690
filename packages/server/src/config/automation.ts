import type { JsonSchema } from "@toolrack/json-schema";

/** Calls at times, by id. Its members beside `agent` are those of a schedule over the API. */
export interface ScheduleConfig {
  /** The agent that it runs as. */
  readonly agent: string;
  readonly tool: string;
  readonly [member: string]: unknown;
}

/** Calls after events, by id. Its members beside `agent` are those of a trigger over the API. */
export interface TriggerConfig {
  /** The agent that its calls run as. */
  readonly agent: string;
  readonly tool: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** Webhooks. */
export interface HooksConfig {
  /** Hosts, or hosts with a port, that webhooks may be sent to although their address is private, and without TLS. @default none */
  readonly allowHosts?: readonly string[];
  /** How long a receiver may take to answer. @default 15_000 */
  readonly timeoutMs?: number;
  /** Webhooks that are sent, by id. */
  readonly out?: Readonly<Record<string, EndpointConfig>>;
  /** Webhooks that are taken, by name: POST /hooks/<name>. */
  readonly in?: Readonly<Record<string, ReceiverConfig>>;
}

export interface EndpointConfig {
  readonly url: string;
  readonly on: Readonly<Record<string, unknown>>;
  /** Names of secrets, the newest first: messages are signed with each of them. */
  readonly secrets: readonly string[];
  readonly description?: string;
}

export interface ReceiverConfig {
  /** The agent that the calls run as. */
  readonly agent: string;
  readonly tool: string;
  /** Names of secrets, the newest first: each of them counts. */
  readonly secrets: readonly string[];
  readonly [member: string]: unknown;
}

export const missedRules = ["skip", "once", "all"] as const;
export type MissedRule = (typeof missedRules)[number];
export const overlapRules = ["skip", "queue", "replace"] as const;
export type OverlapRule = (typeof overlapRules)[number];

/** What triggers and webhooks can wait for. All of it is stored, so that nothing is lost while no server runs. */
export const eventTypes = [
  "record-created",
  "record-updated",
  "record-deleted",
  "record-expired",
  "call-end",
  "result-for-user",
  "approval-waiting",
  "configuration-missing",
] as const;
export type EventType = (typeof eventTypes)[number];

const text = { type: "string", minLength: 1, maxLength: 200 } as const;
const texts = { type: "array", items: text, maxItems: 64 } as const;
const description = { type: "string", maxLength: 500 } as const;
const time = { type: "string", minLength: 1, maxLength: 40 } as const;
const dayMs = 86_400_000;
const closed = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

export const scheduleMembers: Readonly<Record<string, JsonSchema>> = {
  tool: text,
  input: { type: "object" },
  at: { ...time, description: 'Once: "2026-12-24T18:00:00+01:00".' },
  everyMs: { type: "integer", minimum: 1, maximum: 400 * dayMs, description: "Every so often, in milliseconds; at least 10,000." },
  from: { ...time, description: "The first time of everyMs." },
  cron: { ...text, description: 'Minute, hour, day, month, weekday: "0 7 * * 1-5".' },
  seconds: { type: "boolean", description: "Whether cron has a field for seconds before the others." },
  tz: { ...text, description: 'The time zone of cron: "Europe/Berlin".' },
  missed: { enum: missedRules },
  graceMs: { type: "integer", minimum: 0, maximum: 30 * dayMs },
  overlap: { enum: overlapRules },
  jitterMs: { type: "integer", minimum: 0, maximum: dayMs },
  description,
};

const selectorSchema: JsonSchema = {
  type: "object",
  properties: {
    types: { type: "array", items: { enum: eventTypes }, minItems: 1, maxItems: eventTypes.length },
    tool: { ...text, description: "Only ends of calls of this tool." },
    agent: { ...text, description: "Only ends of calls of this agent." },
    schema_name: { ...text, description: "Only records of this schema." },
    tag: text,
    anyTags: texts,
    allTags: texts,
    noneTags: texts,
    where: {
      type: "array",
      maxItems: 64,
      items: { type: "object", properties: { path: text, op: text, value: true }, required: ["path", "op"], additionalProperties: false },
    },
  },
  minProperties: 1,
  additionalProperties: false,
  description: "Which events: by type, by tool and agent of a call, by schema, tags and fields of a record.",
};

const mappingSchema: JsonSchema = {
  type: "object",
  maxProperties: 100,
  additionalProperties: {
    type: "object",
    properties: {
      from: { type: "string", maxLength: 500, pattern: "^(?:/.*)?$", description: 'JSON Pointer into the event: "/record/title".' },
      value: { description: "Always this." },
      default: { description: "Where the event has nothing at from." },
    },
    additionalProperties: false,
  },
  description: "Parameter of the tool → where its value comes from. Absent: the event itself is the input.",
};

export const triggerMembers: Readonly<Record<string, JsonSchema>> = {
  on: selectorSchema,
  tool: text,
  input: mappingSchema,
  ownEvents: { type: "boolean", description: "Whether what the agent that it runs as does itself counts." },
  perMinute: { type: "integer", minimum: 1, maximum: 6_000, description: "More events in a minute pause it." },
  description,
};

export const endpointMembers: Readonly<Record<string, JsonSchema>> = {
  url: { type: "string", minLength: 1, maxLength: 2_000, pattern: "^https?://" },
  on: selectorSchema,
  description,
};

export const receiverMembers: Readonly<Record<string, JsonSchema>> = {
  tool: text,
  input: {
    ...mappingSchema,
    description: "Parameter of the tool → where in { id, at, headers, body } its value comes from. Absent: the body is the input.",
  },
  agent: { type: "string", minLength: 1, maxLength: 128, description: "The agent that the calls run as." },
  verify: { enum: ["signature", "key"], description: "How senders prove who they are. Absent: signature." },
  headers: {
    type: "array",
    maxItems: 20,
    items: { type: "string", pattern: "^[a-z0-9-]{1,80}$" },
    description: "Headers that the mapping may read.",
  },
  bodyBytes: { type: "integer", minimum: 1, maximum: 1_048_576 },
  description,
};

/** As the API takes them. */
export const scheduleSchema: JsonSchema = closed(scheduleMembers, ["tool"]);
export const triggerSchema: JsonSchema = closed(triggerMembers, ["on", "tool"]);
export const endpointSchema: JsonSchema = closed(endpointMembers, ["url", "on"]);
export const receiverSchema: JsonSchema = closed(receiverMembers, ["tool", "agent"]);

const secrets = { type: "array", items: text, minItems: 1, maxItems: 5, description: "Names of secrets, the newest first." } as const;
const byId = (value: JsonSchema): JsonSchema => ({
  type: "object",
  additionalProperties: value,
  propertyNames: { pattern: "^[A-Za-z0-9][\\w.-]{0,63}$" },
});

/** As the file has them. */
export const schedulesSchema: JsonSchema = byId(closed({ ...scheduleMembers, agent: text }, ["agent", "tool"]));
export const triggersSchema: JsonSchema = byId(closed({ ...triggerMembers, agent: text }, ["agent", "tool", "on"]));
export const hooksSchema: JsonSchema = closed(
  {
    allowHosts: texts,
    timeoutMs: { type: "integer", minimum: 100, maximum: 120_000 },
    out: byId(closed({ ...endpointMembers, secrets }, ["url", "on", "secrets"])),
    in: byId(closed({ ...receiverMembers, secrets }, ["agent", "tool", "secrets"])),
  },
  [],
);
