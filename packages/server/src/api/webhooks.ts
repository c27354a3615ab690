import { shellWord } from "@toolrack/core/internal/shell-word";
import { Problem } from "../http/reply/problem.ts";
import { defineRoute, type RoutesOf, type SchemaOf } from "../http/route.ts";
import type { Identity } from "../http/sign-in/identity.ts";
import { endpointMembers } from "../config/automation.ts";
import type { DeliveryInfo, EndpointHealth, EndpointInfo, EndpointSpec } from "../rack/automation/hooks/endpoints.ts";
import { type FieldsOf, listOf, nothing, objectOf, ok } from "./_answers.ts";
import { byId, idSchema, overlapSchema, pausedBySchema, specSchema } from "./shared/automation.ts";

export interface EndpointList {
  readonly webhooks: readonly EndpointInfo[];
}

/** With the secret, which is shown only once. */
export interface EndpointWithSecret extends EndpointInfo {
  readonly secret: string;
}

export interface DeliveryList {
  readonly deliveries: readonly DeliveryInfo[];
  /** The `after` of the next page. */
  readonly next?: string;
}

export interface StartedDelivery {
  readonly delivery: string;
}

export interface WebhookAnswers {
  "GET /webhooks": EndpointList;
  "POST /webhooks": EndpointWithSecret;
  "GET /webhooks/{id}": EndpointInfo;
  "POST /webhooks/{id}/pause": EndpointInfo;
  "POST /webhooks/{id}/resume": EndpointInfo;
  "POST /webhooks/{id}/rotate": EndpointWithSecret;
  "POST /webhooks/{id}/test": StartedDelivery;
  "DELETE /webhooks/{id}": undefined;
  "GET /webhooks/{id}/deliveries": DeliveryList;
  "POST /webhooks/{id}/deliveries/{delivery}/replay": DeliveryInfo;
}

const text = { type: "string" } as const;
const number = { type: "number" } as const;
const integer = { type: "integer" } as const;
const states = { enum: ["waiting", "running", "done", "dead", "cancelled"] } as const;
const infoFields: FieldsOf<EndpointInfo> = {
  id: text,
  spec: specSchema as SchemaOf<EndpointSpec>,
  state: { enum: ["active", "paused", "disabled"], description: "disabled: its receiver answered 410." },
  reason: text,
  pausedBy: pausedBySchema,
  madeBy: text,
  madeAt: number,
  origin: text,
  secrets: {
    ...listOf(objectOf<EndpointInfo["secrets"][number]>({ name: text, until: number }, ["until"])),
    description: "Names of its secrets; until tells when a replaced one ends.",
  },
  health: objectOf<EndpointHealth>(
    {
      state: { enum: ["unused", "healthy", "failing"] },
      delivered: integer,
      waiting: integer,
      dead: integer,
      lastDeliveredAt: number,
      lastError: text,
    },
    ["lastDeliveredAt", "lastError"],
  ),
};
const infoSchema = objectOf<EndpointInfo>(infoFields, ["reason", "pausedBy"]);
const withSecret = objectOf<EndpointWithSecret>({ ...infoFields, secret: { ...text, description: "Keep it: it is not shown again." } }, [
  "reason",
  "pausedBy",
]);
const deliverySchema = objectOf<DeliveryInfo>(
  {
    id: text,
    endpoint: text,
    messageId: { ...text, description: "The webhook-id that the receiver gets." },
    type: text,
    state: states,
    attempt: integer,
    createdAt: number,
    dueAt: number,
    endedAt: number,
    status: integer,
    error: text,
  },
  ["endedAt", "status", "error"],
);
const group = "automation";
const readers = ["subscriber", "curator", "admin"] as const;

const list = defineRoute({
  method: "GET",
  path: "/webhooks",
  id: "listWebhooks",
  group,
  summary:
    "List the webhooks that are sent: which events, to where, and whether they arrive. Without the role admin, only the hosts of the URLs.",
  needs: readers,
  answers: ok("By id.", objectOf<EndpointList>({ webhooks: listOf(infoSchema) })),
  run: async ({ rack, identity }) => ({
    body: { webhooks: (await rack.automation.endpoints.list()).map((one) => shownTo(identity, one)) },
  }),
});

const add = defineRoute({
  method: "POST",
  path: "/webhooks",
  id: "addWebhook",
  group,
  summary: "Send events to a URL, signed as Standard Webhooks describes. The secret is shown only once.",
  needs: ["admin"],
  keepsIdempotency: true,
  body: { type: "object", properties: { id: idSchema, ...endpointMembers }, required: ["id", "url", "on"], additionalProperties: false },
  answers: { 201: { description: "The webhook, with its secret.", schema: withSecret } },
  async run({ rack, body, identity }) {
    const { id, ...spec } = body as { readonly id: string };
    return { status: 201, body: await rack.automation.endpoints.add(id, spec, identity) };
  },
});

const show = defineRoute({
  method: "GET",
  path: "/webhooks/{id}",
  id: "showWebhook",
  group,
  summary: "Show a webhook and the health of its receiver.",
  needs: readers,
  params: byId,
  answers: ok("The webhook.", infoSchema),
  run: async ({ rack, params, identity }) => ({
    body: shownTo(identity, (await rack.automation.endpoints.get(params.id)) ?? gone(params.id)),
  }),
});

const pause = defineRoute({
  method: "POST",
  path: "/webhooks/{id}/pause",
  id: "pauseWebhook",
  group,
  summary: "Pause a webhook. Events that happen meanwhile are not sent.",
  needs: ["admin"],
  params: byId,
  answers: ok("The webhook.", infoSchema),
  run: async ({ rack, params, identity }) => ({ body: (await rack.automation.endpoints.pause(params.id, identity)) ?? gone(params.id) }),
});

const resume = defineRoute({
  method: "POST",
  path: "/webhooks/{id}/resume",
  id: "resumeWebhook",
  group,
  summary: "Resume a webhook that is paused or disabled, for events from now on.",
  needs: ["admin"],
  params: byId,
  answers: ok("The webhook.", infoSchema),
  run: async ({ rack, params, identity }) => ({ body: (await rack.automation.endpoints.resume(params.id, identity)) ?? gone(params.id) }),
});

const rotate = defineRoute({
  method: "POST",
  path: "/webhooks/{id}/rotate",
  id: "rotateWebhookSecret",
  group,
  summary: "Make a new secret. Until the overlap is over, messages are signed with the old one as well.",
  needs: ["admin"],
  keepsIdempotency: true,
  params: byId,
  body: overlapSchema,
  answers: ok("The webhook, with its new secret.", withSecret),
  run: async ({ rack, params, body, identity }) => ({
    body: (await rack.automation.endpoints.rotate(params.id, (body.overlapHours ?? 24) * 3_600_000, identity)) ?? gone(params.id),
  }),
});

const test = defineRoute({
  method: "POST",
  path: "/webhooks/{id}/test",
  id: "testWebhook",
  group,
  summary: "Send an event of the type test.",
  needs: ["admin"],
  params: byId,
  answers: { 202: { description: "The delivery.", schema: objectOf<StartedDelivery>({ delivery: text }) } },
  run: async ({ rack, params, identity }) => ({
    status: 202,
    body: (await rack.automation.endpoints.test(params.id, identity)) ?? gone(params.id),
  }),
});

const remove = defineRoute({
  method: "DELETE",
  path: "/webhooks/{id}",
  id: "removeWebhook",
  group,
  summary: "Remove a webhook and its secrets. What waits to be sent becomes a dead letter.",
  needs: ["admin"],
  params: byId,
  answers: nothing,
  async run({ rack, params, identity }) {
    if (!(await rack.automation.endpoints.remove(params.id, identity))) gone(params.id);
    return { status: 204 };
  },
});

const deliveries = defineRoute({
  method: "GET",
  path: "/webhooks/{id}/deliveries",
  id: "listDeliveries",
  group,
  summary: "List what was sent, waits to be sent again, and died, the newest first.",
  needs: readers,
  params: byId,
  query: {
    type: "object",
    properties: {
      state: { type: "string", ...states },
      after: { ...text, maxLength: 200, description: "The next of the previous page." },
      limit: { type: "integer", minimum: 1, maximum: 200, default: 50 },
    },
    additionalProperties: false,
  },
  answers: ok("One page.", objectOf<DeliveryList>({ deliveries: listOf(deliverySchema), next: text }, ["next"])),
  async run({ rack, params, query }) {
    if ((await rack.automation.endpoints.get(params.id)) === undefined) gone(params.id);
    const { state, after, limit } = query;
    const found = await rack.automation.endpoints.deliveries(params.id, {
      limit,
      ...(state !== undefined && { state }),
      ...(after !== undefined && { after }),
    });
    return { body: { deliveries: found, ...(found.length === limit && { next: found.at(-1)!.id }) } };
  },
});

const replay = defineRoute({
  method: "POST",
  path: "/webhooks/{id}/deliveries/{delivery}/replay",
  id: "replayDelivery",
  group,
  summary: "Send a dead letter again, with the same webhook-id and all of its attempts.",
  needs: ["admin"],
  params: {
    type: "object",
    properties: { id: idSchema, delivery: { type: "string", minLength: 1, maxLength: 200 } },
    required: ["id", "delivery"],
    additionalProperties: false,
  },
  answers: ok("The delivery.", deliverySchema),
  async run({ rack, params: { id, delivery }, identity }) {
    const replayed = await rack.automation.endpoints.replay(id, delivery, identity);
    if (replayed !== undefined) return { body: replayed };
    throw new Problem(
      404,
      "NOT_FOUND",
      `The webhook "${id}" has no delivery "${delivery.slice(0, 100)}". See: toolrack hooks deliveries ${shellWord(id)}`,
    );
  },
});

export const webhookRoutes: RoutesOf<WebhookAnswers> = [list, add, show, pause, resume, rotate, test, remove, deliveries, replay];

/** Many receivers have a secret in the path or query of their URL: whoever cannot change the webhook sees the host alone. */
function shownTo({ roles }: Identity, webhook: EndpointInfo): EndpointInfo {
  const { origin, href } = new URL(webhook.spec.url);
  if (roles.has("admin") || href === `${origin}/`) return webhook;
  return { ...webhook, spec: { ...webhook.spec, url: `${origin}/…` } };
}

function gone(id: string): never {
  throw new Problem(404, "NOT_FOUND", `There is no webhook "${id.slice(0, 64)}". See: toolrack hooks list`);
}
