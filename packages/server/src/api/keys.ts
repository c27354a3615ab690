import { defineRoute, type RoutesOf } from "../http/route.ts";
import { serverRoles } from "../http/sign-in/identity.ts";
import { Problem } from "../http/reply/problem.ts";
import { listedTest, roleNotHeld } from "../rack/keys-and-tokens/api-keys.ts";
import type { ApiKey } from "../rack/rack.ts";
import { type FieldsOf, listOf, nothing, objectOf, ok } from "./_answers.ts";
import { nextOffset, pageOf, type PageQuery, pageQuery } from "./_pages.ts";
import { notFound } from "./shared/records.ts";

/** An API key, without its secret. */
export interface KeyInfo extends ApiKey {
  /** False if the configuration does not list the agent, so that the key gives access to no tool. Only in lists. */
  readonly isListed?: boolean;
}

export interface KeyList {
  readonly keys: readonly KeyInfo[];
  readonly next?: number;
}

export interface CreatedKey extends KeyInfo {
  /** Shown only once. */
  readonly secret: string;
  /** It is the first key, and requests without one, which were those of the agent "anonymous" so far, are refused from now on. */
  readonly endsAnonymous?: true;
}

export interface KeyAnswers {
  "GET /keys": KeyList;
  "POST /keys": CreatedKey;
  "DELETE /keys/{id}": undefined;
}

const keyFields: FieldsOf<KeyInfo> = {
  id: { type: "string" },
  agent: { type: "string" },
  roles: { type: "array", items: { type: "string" } },
  description: { type: "string" },
  createdAt: { type: "number", description: "Milliseconds since 1970." },
  createdBy: { type: "string" },
  expiresAt: { type: "number" },
  isListed: {
    type: "boolean",
    description: "False if the configuration does not list the agent, so that the key gives access to no tool.",
  },
};
const keyOptional = ["description", "expiresAt", "isListed"] as const;

const list = defineRoute({
  method: "GET",
  path: "/keys",
  id: "listKeys",
  group: "keys",
  summary: "List the API keys.",
  needs: ["admin"],
  query: { type: "object", properties: pageQuery, additionalProperties: false },
  answers: ok(
    "Without their secrets.",
    objectOf<KeyList>({ keys: listOf(objectOf<KeyInfo>(keyFields, keyOptional)), next: nextOffset }, ["next"]),
  ),
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
  summary: "Create an API key for an agent. Its secret is shown only once.",
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
      description: "The key. Keep `secret`: it is not shown again.",
      schema: objectOf<CreatedKey>(
        {
          ...keyFields,
          secret: { type: "string" },
          endsAnonymous: {
            const: true,
            description:
              "It is the first key: requests without one, which were possible on the server's machine so far, are refused from now on.",
          },
        },
        [...keyOptional, "endsAnonymous"],
      ),
    },
  },
  async run({ rack, body, identity }) {
    const { agent, roles, description, expiresAt } = body;
    const byRoles = [...identity.roles];
    const lacking = roleNotHeld(roles, byRoles);
    if (lacking !== undefined)
      throw new Problem(403, "ROLE_MISSING", `"${identity.agent}" does not have the role "${lacking}", and may not give it to a key.`);
    const endsAnonymous = !rack.keys.wereMade() && rack.config.server?.requireSignIn !== true && rack.config.signIn?.jwt === undefined;
    const key = await rack.keys.create({
      agent,
      roles,
      by: identity,
      byRoles,
      ...(description !== undefined && { description }),
      ...(expiresAt !== undefined && { expiresAt }),
    });
    return { status: 201, body: { ...key, ...(endsAnonymous && { endsAnonymous }) } };
  },
});

const revoke = defineRoute({
  method: "DELETE",
  path: "/keys/{id}",
  id: "revokeKey",
  group: "keys",
  summary: "Revoke an API key, at once.",
  needs: ["admin"],
  params: { type: "object", properties: { id: { type: "string" } }, required: ["id"], additionalProperties: false },
  answers: nothing,
  async run({ rack, params, identity }) {
    if (!(await rack.keys.revoke(params.id, identity))) throw notFound(`key "${params.id}"`);
    return {};
  },
});

export const keyRoutes: RoutesOf<KeyAnswers> = [list, create, revoke];
