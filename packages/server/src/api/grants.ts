import { ToolError } from "@toolrack/core";
import { Problem } from "../http/reply/problem.ts";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import type { GrantInfo, WaitingGrant } from "../rack/trust/grants.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { grantSchema, waitingGrantSchema } from "./shared/grants.ts";

export interface GrantList {
  readonly grants: readonly GrantInfo[];
  /** Tools that are not served because nobody granted what they ask for. */
  readonly waiting: readonly WaitingGrant[];
}

export interface GrantAnswers {
  "GET /grants": GrantList;
  "POST /grants": GrantInfo;
  "DELETE /grants/{id}": GrantInfo;
}

const list = defineRoute({
  method: "GET",
  path: "/grants",
  id: "listGrants",
  group: "trust",
  summary: "List which tools may reach for programs, hosts, files, secrets or other permissions, who granted it, and which wait for that.",
  needs: ["subscriber", "curator", "admin"],
  answers: ok("All grants.", objectOf<GrantList>({ grants: listOf(grantSchema), waiting: listOf(waitingGrantSchema) })),
  run: ({ rack }) => ({ body: { grants: rack.grants.list(), waiting: rack.grants.waiting() } }),
});

const add = defineRoute({
  method: "POST",
  path: "/grants",
  id: "addGrant",
  group: "trust",
  summary: "Grant a tool what it asks for, for exactly the definition that was looked at.",
  needs: ["admin"],
  body: {
    type: "object",
    properties: {
      tool: { type: "string", minLength: 1, maxLength: 600 },
      print: { type: "string", minLength: 1, maxLength: 200 },
      reason: { type: "string", minLength: 1, maxLength: 500 },
      days: { type: "number", exclusiveMinimum: 0, maximum: 36_500 },
    },
    required: ["tool", "print", "reason"],
    additionalProperties: false,
  },
  answers: ok("The grant.", grantSchema),
  async run({ rack, body, identity }) {
    try {
      return { body: await rack.grants.add(body, identity) };
    } catch (error) {
      throw ToolError.is(error) ? new Problem(404, error.code, error.message) : error;
    }
  },
});

const revoke = defineRoute({
  method: "DELETE",
  path: "/grants/{id}",
  id: "revokeGrant",
  group: "trust",
  summary: "Revoke a grant, on all servers.",
  needs: ["admin"],
  params: {
    type: "object",
    properties: { id: { type: "string", minLength: 1, maxLength: 100 } },
    required: ["id"],
    additionalProperties: false,
  },
  answers: ok("What was revoked: its tool is not served any more.", grantSchema),
  async run({ rack, params, identity }) {
    const revoked = await rack.grants.revoke(params.id, identity);
    if (revoked === undefined) throw new Problem(404, "NOT_FOUND", `There is no grant "${params.id}". See: toolrack grants list`);
    return { body: revoked };
  },
});

export const grantRoutes: RoutesOf<GrantAnswers> = [list, add, revoke];
