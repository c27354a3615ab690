import { serverRoles } from "../http/sign-in/identity.ts";
import { Problem } from "../http/reply/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { listedTest, roleNotHeld } from "../rack/keys/api-keys.ts";
import { listOf, nothing, objectOf, ok } from "./_answers.ts";
import { nextOffset, pageOf, type PageQuery, pageQuery } from "./_pages.ts";
import { notFound } from "./shared/records.ts";

/** An API key, without its secret. */
export const keySchema = {
  type: "object",
  properties: {
    id: { type: "string" },
    agent: { type: "string" },
    roles: { type: "array", items: { type: "string" } },
    description: { type: "string" },
    createdAt: { type: "number", description: "Milliseconds since 1970, as all times of this kind." },
    createdBy: { type: "string" },
    expiresAt: { type: "number" },
    isListed: { type: "boolean", description: "False where the configuration does not list the agent, so that the key opens no tool." },
  },
  required: ["id", "agent", "roles", "createdAt", "createdBy"],
  additionalProperties: false,
} as const;

const list = defineRoute({
  method: "GET",
  path: "/keys",
  id: "listKeys",
  group: "keys",
  summary: "List the API keys.",
  needs: ["admin"],
  query: { type: "object", properties: pageQuery, additionalProperties: false },
  answers: ok("Without their secrets.", objectOf({ keys: listOf(keySchema), next: nextOffset }, ["next"])),
  async run({ rack, query }) {
    const { items, ...rest } = pageOf(await rack.keys.list(), query as PageQuery);
    const isListed = listedTest(rack.settings);
    return { body: { keys: items.map((key) => ({ ...key, isListed: key.roles.includes("owner") || isListed(key.agent) })), ...rest } };
  },
});

const create = defineRoute({
  method: "POST",
  path: "/keys",
  id: "createKey",
  group: "keys",
  summary: "Make an API key for an agent. Its secret is shown this once.",
  needs: ["admin"],
  keepsIdempotency: true,
  body: {
    type: "object",
    properties: {
      agent: { type: "string", minLength: 1, maxLength: 128 },
      roles: { type: "array", items: { type: "string", enum: serverRoles }, default: [] },
      description: { type: "string", maxLength: 1_000 },
      expiresAt: { type: "number" },
    },
    required: ["agent"],
    additionalProperties: false,
  },
  answers: {
    201: {
      description: "The key; keep `secret`, it is not shown again.",
      schema: {
        ...keySchema,
        properties: { ...keySchema.properties, secret: { type: "string" } },
        required: [...keySchema.required, "secret"],
      },
    },
  },
  async run({ rack, body, identity }) {
    const { agent, roles = [], description, expiresAt } = body;
    const byRoles = [...identity.roles];
    const lacking = roleNotHeld(roles, byRoles);
    if (lacking !== undefined)
      throw new Problem(403, "ROLE_MISSING", `"${identity.agent}" does not have the role "${lacking}", and may not give it to a key.`);
    const key = await rack.keys.create({
      agent,
      roles,
      by: identity,
      byRoles,
      ...(description !== undefined && { description }),
      ...(expiresAt !== undefined && { expiresAt }),
    });
    return { status: 201, body: key };
  },
});

const revoke = defineRoute({
  method: "DELETE",
  path: "/keys/{id}",
  id: "revokeKey",
  group: "keys",
  summary: "Revoke an API key; it opens nothing from now on.",
  needs: ["admin"],
  params: { type: "object", properties: { id: { type: "string" } }, required: ["id"], additionalProperties: false },
  answers: nothing,
  async run({ rack, params, identity }) {
    if (!(await rack.keys.revoke(params.id, identity))) throw notFound(`key "${params.id}"`);
    return {};
  },
});

export const keyRoutes: readonly Route[] = [list, create, revoke];
