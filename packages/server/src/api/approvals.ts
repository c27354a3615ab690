import { Problem } from "../http/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { listOf, nothing, objectOf, ok } from "./_answers.ts";
import { shownCallerSchema } from "./_callers.ts";

const text = { type: "string" } as const;
const number = { type: "number" } as const;
const byId = { type: "object", properties: { id: text }, required: ["id"], additionalProperties: false } as const;
const caller = { ...shownCallerSchema, additionalProperties: true };
const waitingSchema = objectOf(
  {
    id: text,
    callId: text,
    tool: text,
    message: { ...text, description: "What the person is asked." },
    input: { description: "The arguments." },
    digest: { ...text, description: "Of the tool and these arguments. It goes with the decision." },
    schema: { type: "object", additionalProperties: true, description: "What `value` must be, where more than a yes is asked for." },
    caller,
    askedAt: number,
    expiresAt: number,
  },
  ["schema"],
);
const rememberedSchema = objectOf(
  { id: text, tool: text, digest: text, caller, scope: { enum: ["session", "always"] }, by: text, decidedAt: number, until: number },
  ["until"],
);

const list = defineRoute({
  method: "GET",
  path: "/approvals",
  id: "listApprovals",
  group: "approvals",
  summary: "List the calls that wait for a person, on every server, and what people agreed to for longer.",
  needs: ["curator", "admin", "owner"],
  answers: ok("The oldest first.", objectOf({ waiting: listOf(waitingSchema), remembered: listOf(rememberedSchema) })),
  run: async ({ rack }) => ({ body: { waiting: await rack.approvals.list(), remembered: await rack.approvals.remembered() } }),
});

const decide = defineRoute({
  method: "POST",
  path: "/approvals/{id}/decide",
  id: "decideApproval",
  group: "approvals",
  summary: "Answer for a call that waits: yes or no, for this call, for the session, or always.",
  needs: ["curator", "admin", "owner"],
  params: byId,
  body: {
    type: "object",
    properties: {
      approved: { type: "boolean" },
      digest: { type: "string", description: "Of what was looked at." },
      scope: { enum: ["once", "session", "always"], default: "once" },
      reason: { type: "string", maxLength: 500 },
      value: { description: "The answer, where more than a yes is asked for." },
    },
    required: ["approved", "digest"],
    additionalProperties: false,
  },
  answers: ok("What was decided about.", waitingSchema),
  async run({ rack, identity, params, body }) {
    const question = (await rack.approvals.list()).find(({ id }) => id === params.id);
    if (question === undefined) throw gone(params.id);
    // A program that could answer for its own calls would make asking pointless.
    if (question.caller.agent === identity.agent && !identity.roles.has("owner"))
      throw new Problem(403, "ROLE_MISSING", `"${identity.agent}" may not decide about its own calls. Somebody else has to.`);
    if (question.digest !== body.digest)
      throw new Problem(409, "STATE_INVALID", "The decision is about other arguments than those of this call. Look at it again.", {
        tool: question.tool,
      });
    const { approved, digest, scope = "once", reason, value } = body;
    const decided = await rack.approvals.decide(params.id, {
      approved,
      digest,
      scope,
      by: identity.agent,
      ...(reason !== undefined && { reason }),
      ...(value !== undefined && { value }),
    });
    if (decided === undefined) throw gone(params.id);
    return { body: decided };
  },
});

const forget = defineRoute({
  method: "DELETE",
  path: "/approvals/{id}",
  id: "forgetApproval",
  group: "approvals",
  summary: "Take back a yes that holds for longer than one call.",
  needs: ["curator", "admin", "owner"],
  params: byId,
  answers: nothing,
  async run({ rack, identity, params }) {
    if (!(await rack.approvals.forget(params.id, identity.agent)))
      throw new Problem(404, "NOT_FOUND", `There is no yes "${params.id.slice(0, 100)}" that still holds.`);
    return { status: 204 };
  },
});

export const approvalRoutes: readonly Route[] = [list, decide, forget];

function gone(id: string): Problem {
  return new Problem(404, "NOT_FOUND", `Nothing waits under "${id.slice(0, 100)}": it was answered, it expired, or its call is gone.`);
}
