import { knownCallers } from "../rack/access/agent-facts.ts";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { Problem } from "../http/reply/problem.ts";
import type { PolicyDraft, Rack, Setting } from "../rack/rack.ts";
import { listOf, nothing, objectOf, ok } from "./_answers.ts";
import { type CallerDifference, changesSchema, differencesSchema, simulate } from "./shared/policy.ts";

const text = { type: "string" } as const;
const byId = { type: "object", properties: { id: text }, required: ["id"], additionalProperties: false } as const;

export interface PolicyDraftList {
  readonly drafts: readonly PolicyDraft[];
}

/** A draft, and its effect on each caller. */
export interface PolicyDraftDetails extends PolicyDraft {
  readonly differences: readonly CallerDifference[];
}

export interface AppliedDraft {
  readonly settings: readonly Setting[];
}

export interface PolicyDraftAnswers {
  "GET /policy/drafts": PolicyDraftList;
  "POST /policy/drafts": PolicyDraftDetails;
  "GET /policy/drafts/{id}": PolicyDraftDetails;
  "POST /policy/drafts/{id}/apply": AppliedDraft;
  "DELETE /policy/drafts/{id}": undefined;
}

const draftFields = {
  id: text,
  title: text,
  changes: changesSchema,
  createdAt: { type: "number" },
  createdBy: text,
  isCurrent: { type: "boolean", description: "Whether the settings that it changes are unchanged since the draft was made." },
} as const;
const draftSchema = objectOf<PolicyDraft>(draftFields);
const detailsSchema = objectOf<PolicyDraftDetails>({ ...draftFields, differences: differencesSchema });
const settings = listOf(objectOf<Setting>({ key: text, value: {}, origin: text }));

const list = defineRoute({
  method: "GET",
  path: "/policy/drafts",
  id: "listPolicyDrafts",
  group: "policy",
  summary: "List drafts of the policy.",
  needs: ["curator", "admin"],
  answers: ok("The drafts.", objectOf<PolicyDraftList>({ drafts: listOf(draftSchema) })),
  run: async ({ rack }) => ({ body: { drafts: await rack.drafts.list() } }),
});

const create = defineRoute({
  method: "POST",
  path: "/policy/drafts",
  id: "createPolicyDraft",
  group: "policy",
  summary: "Prepare a change of the policy, and see who would gain or lose which tools.",
  needs: ["curator", "admin"],
  body: {
    type: "object",
    properties: { title: { type: "string", minLength: 1, maxLength: 200 }, changes: changesSchema },
    required: ["title", "changes"],
    additionalProperties: false,
  },
  answers: { 201: { description: "The draft, with its effect.", schema: detailsSchema } },
  async run({ rack, identity, body }) {
    const draft = await rack.drafts.create({ title: body.title, changes: body.changes, by: identity });
    return { status: 201, body: { ...draft, differences: await differencesOf(rack, draft.changes) } };
  },
});

const show = defineRoute({
  method: "GET",
  path: "/policy/drafts/{id}",
  id: "showPolicyDraft",
  group: "policy",
  summary: "Show a draft, and who would gain or lose which tools.",
  needs: ["curator", "admin"],
  params: byId,
  answers: ok("The draft.", detailsSchema),
  async run({ rack, params }) {
    const draft = await rack.drafts.get(params.id);
    if (draft === undefined) throw noDraft(params.id);
    return { body: { ...draft, differences: await differencesOf(rack, draft.changes) } };
  },
});

const apply = defineRoute({
  method: "POST",
  path: "/policy/drafts/{id}/apply",
  id: "applyPolicyDraft",
  group: "policy",
  summary: "Apply a draft, on all servers.",
  needs: ["admin"],
  params: byId,
  answers: ok("The settings that it changed.", objectOf<AppliedDraft>({ settings })),
  async run({ rack, identity, params }) {
    const draft = await rack.drafts.get(params.id);
    if (draft?.isCurrent === false)
      throw new Problem(
        409,
        "STATE_INVALID",
        "The policy has changed since this draft was made. Look at the difference again, and make a new draft.",
      );
    const applied = await rack.drafts.apply(params.id, identity);
    if (applied === undefined) throw noDraft(params.id);
    return { body: { settings: applied } };
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/policy/drafts/{id}",
  id: "removePolicyDraft",
  group: "policy",
  summary: "Delete a draft.",
  needs: ["curator", "admin"],
  params: byId,
  answers: nothing,
  async run({ rack, identity, params }) {
    if (!(await rack.drafts.remove(params.id, identity))) throw noDraft(params.id);
    return { status: 204 };
  },
});

export const policyDraftRoutes: RoutesOf<PolicyDraftAnswers> = [list, create, show, apply, remove];

async function differencesOf(rack: Rack, changes: Readonly<Record<string, unknown>>): Promise<readonly CallerDifference[]> {
  return simulate(rack, rack.settings.preview(changes).configured, await knownCallers(rack));
}

function noDraft(id: string): Problem {
  return new Problem(404, "NOT_FOUND", `There is no draft "${id.slice(0, 100)}".`);
}
