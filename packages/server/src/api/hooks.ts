import { Problem } from "../http/reply/problem.ts";
import { defineRoute, type Route, type RoutesOf, type SchemaOf } from "../http/route.ts";
import { receiverMembers } from "../config/automation.ts";
import type { ReceiverInfo, ReceiverSpec } from "../rack/automation/hooks/receivers.ts";
import { type FieldsOf, listOf, nothing, objectOf, ok } from "./_answers.ts";
import { byId, idSchema, overlapSchema, specSchema } from "./shared/automation.ts";

export interface ReceiverList {
  readonly hooks: readonly ReceiverInfo[];
}

/** With the secret, which is shown only once. */
export interface ReceiverWithSecret extends ReceiverInfo {
  readonly secret: string;
}

export interface TakenRequest {
  /** The id of the job that calls the tool. */
  readonly job: string;
}

export interface HookAnswers {
  "GET /hooks": ReceiverList;
  "POST /hooks": ReceiverWithSecret;
  "POST /hooks/{id}/rotate": ReceiverWithSecret;
  "DELETE /hooks/{id}": undefined;
}

const text = { type: "string" } as const;
const number = { type: "number" } as const;
const infoFields: FieldsOf<ReceiverInfo> = {
  name: text,
  spec: specSchema as SchemaOf<ReceiverSpec>,
  path: { ...text, description: "Where senders send it, on this server." },
  madeBy: text,
  madeAt: number,
  origin: text,
  secrets: listOf(objectOf<ReceiverInfo["secrets"][number]>({ name: text, until: number }, ["until"])),
};
const infoSchema = objectOf<ReceiverInfo>(infoFields);
const withSecret = objectOf<ReceiverWithSecret>({ ...infoFields, secret: { ...text, description: "Keep it: it is not shown again." } });
const group = "automation";

const list = defineRoute({
  method: "GET",
  path: "/hooks",
  id: "listHooks",
  group,
  summary: "List the webhooks that are taken: which tool each calls, and as whom.",
  needs: ["subscriber", "curator", "admin"],
  answers: ok("By name.", objectOf<ReceiverList>({ hooks: listOf(infoSchema) })),
  run: ({ rack }) => ({ body: { hooks: rack.automation.receivers.list() } }),
});

const add = defineRoute({
  method: "POST",
  path: "/hooks",
  id: "addHook",
  group,
  summary: "Take requests of another system at /hooks/<name>, and call a tool with each. The secret is shown only once.",
  needs: ["admin"],
  keepsIdempotency: true,
  body: {
    type: "object",
    properties: { name: idSchema, ...receiverMembers },
    required: ["name", "tool", "agent"],
    additionalProperties: false,
  },
  answers: { 201: { description: "The hook, with its secret.", schema: withSecret } },
  async run({ rack, body, identity }) {
    const { name, ...spec } = body as { readonly name: string };
    return { status: 201, body: await rack.automation.receivers.add(name, spec, identity) };
  },
});

const rotate = defineRoute({
  method: "POST",
  path: "/hooks/{id}/rotate",
  id: "rotateHookSecret",
  group,
  summary: "Make a new secret. Until the overlap is over, the old one counts as well.",
  needs: ["admin"],
  keepsIdempotency: true,
  params: byId,
  body: overlapSchema,
  answers: ok("The hook, with its new secret.", withSecret),
  run: async ({ rack, params, body, identity }) => ({
    body: (await rack.automation.receivers.rotate(params.id, (body.overlapHours ?? 24) * 3_600_000, identity)) ?? gone(params.id),
  }),
});

const remove = defineRoute({
  method: "DELETE",
  path: "/hooks/{id}",
  id: "removeHook",
  group,
  summary: "Remove a hook and its secrets. Its requests are refused from now on.",
  needs: ["admin"],
  params: byId,
  answers: nothing,
  async run({ rack, params, identity }) {
    if (!(await rack.automation.receivers.remove(params.id, identity))) gone(params.id);
    return { status: 204 };
  },
});

const statuses = { refused: 401, large: 413, wrong: 422, full: 429 } as const;
const codes = {
  refused: "SIGN_IN_REFUSED",
  large: "BODY_TOO_LARGE",
  wrong: "INPUT_INVALID",
  full: "TOO_MANY_REQUESTS",
} as const;

const receive = defineRoute({
  method: "POST",
  path: "/hooks/{name}",
  atRoot: true,
  id: "receiveWebhook",
  group,
  summary: "Take a request of another system: signed as Standard Webhooks describes, or with the key of the hook.",
  needs: "public",
  keepsIdempotency: true,
  rawBodyBytes: 1_048_576,
  params: { type: "object", properties: { name: idSchema }, required: ["name"], additionalProperties: false },
  answers: { 202: { description: "It was taken; a job calls the tool.", schema: objectOf<TakenRequest>({ job: text }) } },
  async run(request) {
    const { rack, params } = request;
    const body = request.body as unknown as Uint8Array;
    const taken = await rack.automation.receivers.receive(params.name, { header: (name) => request.header(name), body });
    if (taken.ok) return { status: 202, body: { job: taken.job } };
    throw new Problem(statuses[taken.code], codes[taken.code], taken.message);
  },
});

const apiRoutes: RoutesOf<HookAnswers> = [list, add, rotate, remove];

export const hookRoutes: readonly Route[] = [...apiRoutes, receive];

function gone(name: string): never {
  throw new Problem(404, "NOT_FOUND", `There is no hook "${name.slice(0, 64)}". See: toolrack hooks list`);
}
