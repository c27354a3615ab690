import { isOnePerson, type SearchQuery, stateOf, withoutSeen } from "@toolrack/store";
import { defineRoute, type RoutesOf, type SchemaOf } from "../http/route.ts";
import type { Identity } from "../http/sign-in/identity.ts";
import { Problem } from "../http/reply/problem.ts";
import type { Rack } from "../rack/rack.ts";
import type { RememberedApproval, WaitingApproval } from "../rack/approvals/approval.ts";
import type { WaitingProposal } from "../rack/proposals/proposals.ts";
import type { WaitingSchedule } from "../rack/automation/schedules/schedules.ts";
import type { WaitingGrant } from "../rack/trust/grants.ts";
import type { WaitingDefinition } from "../rack/trust/trust.ts";
import { listOf, nothing, objectOf, ok } from "./_answers.ts";
import { pageBytes } from "./_pages.ts";
import { shownCallerSchema } from "./shared/callers.ts";
import { waitingDefinitionSchema } from "./shared/definitions.ts";
import { waitingScheduleSchema } from "./shared/automation.ts";
import { waitingProposalSchema } from "./shared/proposals.ts";
import { waitingGrantSchema } from "./shared/grants.ts";

const text = { type: "string" } as const;
const number = { type: "number" } as const;
const byId = { type: "object", properties: { id: text }, required: ["id"], additionalProperties: false } as const;
const caller = { ...shownCallerSchema, additionalProperties: true };
/** In a list, long arguments and questions are truncated. */
export interface ListedApproval extends WaitingApproval {
  readonly isCut?: true;
}

export interface ApprovalList {
  /** Calls. */
  readonly waiting: readonly ListedApproval[];
  readonly cursor?: string;
  readonly waitingTotal: number;
  readonly remembered: readonly RememberedApproval[];
  readonly rememberedCursor?: string;
  /** Definitions of tools: new ones, and changed ones. */
  readonly definitions: readonly WaitingDefinition[];
  readonly definitionsCursor?: string;
  readonly definitionsTotal: number;
  /** Tools of others that ask for programs, hosts, files or secrets. */
  readonly grants: readonly WaitingGrant[];
  readonly grantsTotal: number;
  /** Stored tools that somebody wrote or changed, and nobody approved yet. */
  readonly drafts: readonly WaitingDraft[];
  readonly draftsTotal: number;
  /** Schedules that agents made. */
  readonly schedules: readonly WaitingSchedule[];
  readonly schedulesTotal: number;
  /** Changes of settings that agents propose. */
  readonly proposals: readonly WaitingProposal[];
  readonly proposalsTotal: number;
}

/** A stored tool that is not served until it is approved: `toolrack approve <tool>`, `POST /lifecycle/{id}/approve`. */
export interface WaitingDraft {
  /** The id of the record. */
  readonly id: string;
  readonly tool: string;
  readonly version: number;
  readonly state: "draft" | "validated";
  readonly by: string;
  readonly updatedAt: string;
}

/** A call, a definition, a tool that asks for a grant, a schedule, or a proposed change of settings. */
export type WaitingQuestion = WaitingApproval | WaitingDefinition | WaitingGrant | WaitingSchedule | WaitingProposal;

export interface ApprovalAnswers {
  "GET /approvals": ApprovalList;
  "GET /approvals/{id}": WaitingQuestion;
  "POST /approvals/{id}/decide": WaitingQuestion;
  "DELETE /approvals/{id}": undefined;
}

const originsSchema = {
  type: "object",
  additionalProperties: { type: "array", items: text },
  description: 'Where the labels come from, by JSON Pointer: { "/text": ["read_mail (line 2)"] }.',
} as const;

const waitingFields = {
  id: text,
  callId: text,
  tool: text,
  message: { ...text, description: "The question." },
  input: { description: "The arguments." },
  digest: { ...text, description: "Of the definition of the tool and these arguments. Send it with the decision." },
  schema: {
    type: "object",
    additionalProperties: true,
    description: "The schema of `value`, if the question asks for more than yes or no.",
  },
  labels: {
    type: "object",
    additionalProperties: { type: "array", items: text },
    description:
      'What is known of the arguments, by JSON Pointer: { "/text": ["untrusted"] }. "" holds for all of them, and is what decided about the call.',
  },
  program: {
    ...objectOf<NonNullable<WaitingApproval["program"]>>({ id: text, line: { type: "integer" }, text, origins: originsSchema }, [
      "origins",
    ]),
    description: "The program that waits for the answer, and the line where it stands.",
  },
  caller,
  askedAt: number,
  expiresAt: number,
} as const;
const waitingSchema: SchemaOf<WaitingQuestion> = {
  oneOf: [
    objectOf<WaitingApproval>(waitingFields, ["schema", "labels", "program"]),
    waitingDefinitionSchema,
    waitingGrantSchema,
    waitingScheduleSchema,
    waitingProposalSchema,
  ],
};
const rememberedSchema = objectOf<RememberedApproval>(
  { id: text, tool: text, digest: text, caller, scope: { enum: ["session", "always"] }, by: text, decidedAt: number, until: number },
  ["until"],
);

const list = defineRoute({
  method: "GET",
  path: "/approvals",
  id: "listApprovals",
  group: "approvals",
  summary:
    "List what waits for a person: calls of all servers, definitions of tools, tools that ask for a grant, schedules, and proposed changes of settings; and the approvals for more than one call. Page by page.",
  needs: ["curator", "admin", "owner"],
  query: {
    type: "object",
    properties: {
      limit: { type: "integer", minimum: 1, maximum: 1_000, default: 50, description: "For each of the lists." },
      cursor: { ...text, maxLength: 200, description: "The cursor of the previous page of waiting calls." },
      rememberedCursor: { ...text, maxLength: 200, description: "The cursor of the previous page of remembered approvals." },
      definitionsCursor: { ...text, maxLength: 200, description: "The cursor of the previous page of definitions." },
      callId: { ...text, maxLength: 200, description: "Only requests of this call." },
    },
    additionalProperties: false,
  },
  answers: ok(
    "The oldest first. Long arguments and questions are cut; ask for one by its id to see all of it.",
    objectOf<ApprovalList>(
      {
        waiting: listOf(
          objectOf<ListedApproval>({ ...waitingFields, isCut: { const: true, description: "Something was truncated." } }, [
            "schema",
            "labels",
            "program",
            "isCut",
          ]),
        ),
        cursor: { ...text, description: "The cursor of the next page." },
        waitingTotal: { type: "integer" },
        remembered: listOf(rememberedSchema),
        rememberedCursor: { ...text, description: "The cursor of the next page." },
        definitions: listOf(waitingDefinitionSchema),
        definitionsCursor: { ...text, description: "The cursor of the next page." },
        definitionsTotal: { type: "integer" },
        grants: { ...listOf(waitingGrantSchema), description: "The first of them, up to the limit." },
        grantsTotal: { type: "integer" },
        drafts: {
          ...listOf(
            objectOf<WaitingDraft>({
              id: text,
              tool: text,
              version: { type: "integer" },
              state: { enum: ["draft", "validated"] },
              by: text,
              updatedAt: { ...text, format: "date-time" },
            }),
          ),
          description: "Stored tools that nobody approved yet: the first of them, up to the limit.",
        },
        draftsTotal: { type: "integer" },
        schedules: { ...listOf(waitingScheduleSchema), description: "Schedules that agents made: the first of them, up to the limit." },
        schedulesTotal: { type: "integer" },
        proposals: {
          ...listOf(waitingProposalSchema),
          description: "Changes of settings that agents propose: the first of them, up to the limit.",
        },
        proposalsTotal: { type: "integer" },
      },
      ["cursor", "rememberedCursor", "definitionsCursor"],
    ),
  ),
  async run({ rack, query }) {
    const { limit, cursor, rememberedCursor, definitionsCursor, callId } = query;
    const asked = (await rack.approvals.list()).filter((one) => callId === undefined || one.callId === callId);
    const waiting = pageOf(asked, ({ askedAt, id }) => [askedAt, id], limit, cursor, cut);
    const agreed = (await rack.approvals.remembered()).toSorted((a, b) => a.decidedAt - b.decidedAt || (a.id < b.id ? -1 : 1));
    const remembered = pageOf(agreed, ({ decidedAt, id }) => [decidedAt, id], limit, rememberedCursor);
    const seen = callId === undefined ? rack.trust.waiting() : [];
    const grants = callId === undefined ? rack.grants.waiting() : [];
    const drafts = callId === undefined ? await draftsIn(rack) : [];
    const schedules = callId === undefined ? rack.automation.schedules.waiting() : [];
    const proposals = callId === undefined ? rack.proposals.waiting() : [];
    const definitions = pageOf(seen, ({ seenAt, id }) => [seenAt, id], limit, definitionsCursor);
    return {
      body: {
        waiting: waiting.page,
        ...(waiting.next !== undefined && { cursor: waiting.next }),
        waitingTotal: asked.length,
        remembered: remembered.page,
        ...(remembered.next !== undefined && { rememberedCursor: remembered.next }),
        definitions: definitions.page,
        ...(definitions.next !== undefined && { definitionsCursor: definitions.next }),
        definitionsTotal: seen.length,
        grants: grants.slice(0, limit),
        grantsTotal: grants.length,
        drafts: drafts.slice(0, limit),
        draftsTotal: drafts.length,
        schedules: schedules.slice(0, limit),
        schedulesTotal: schedules.length,
        proposals: proposals.slice(0, limit),
        proposalsTotal: proposals.length,
      },
    };
  },
});

/** Stored definitions that wait; those that were seen at a source are among the definitions. */
async function draftsIn({ store }: Rack): Promise<readonly WaitingDraft[]> {
  const query: SearchQuery = { schema_name: "tool.definition.v1", includeContext: true };
  const stored = await store.searchBreadcrumbs(withoutSeen(query));
  return stored.flatMap(({ context = {}, ...record }): WaitingDraft[] => {
    const { id, version, updated_by: by, updated_at: updatedAt } = record;
    const state = stateOf({ ...record, context });
    if (state !== "draft" && state !== "validated") return [];
    return [{ id, tool: String(context["name"]), version, state, by, updatedAt }];
  });
}

const show = defineRoute({
  method: "GET",
  path: "/approvals/{id}",
  id: "showApproval",
  group: "approvals",
  summary: "Show what waits: a call with all of its arguments, a definition with its changes, or a tool with what it asks for.",
  needs: ["curator", "admin", "owner"],
  params: byId,
  answers: ok("The question.", waitingSchema),
  async run({ rack, params }) {
    const question =
      rack.trust.get(params.id) ??
      waitingGrant(rack, params.id) ??
      waitingSchedule(rack, params.id) ??
      waitingProposal(rack, params.id) ??
      (await rack.approvals.get(params.id));
    if (question === undefined) throw gone(params.id);
    return { body: question };
  },
});

const decide = defineRoute({
  method: "POST",
  path: "/approvals/{id}/decide",
  id: "decideApproval",
  group: "approvals",
  summary:
    "Approve or refuse a waiting call (once, for the session, or always), or a waiting definition of a tool; or grant a tool what it asks for.",
  needs: ["curator", "admin", "owner"],
  params: byId,
  body: {
    type: "object",
    properties: {
      approved: { type: "boolean" },
      digest: { type: "string", description: "The digest that was reviewed; of a tool that asks for a grant, its print." },
      scope: { enum: ["once", "session", "always"], default: "once" },
      reason: { type: "string", maxLength: 500, description: "Required for a grant." },
      value: { description: "The answer, if the question asks for more than yes or no." },
    },
    required: ["approved", "digest"],
    additionalProperties: false,
  },
  answers: ok("What was decided.", waitingSchema),
  async run({ rack, identity, params, body }) {
    const definition = rack.trust.get(params.id);
    if (definition !== undefined) return { body: await decideDefinition(rack, identity, definition, body) };
    const grant = waitingGrant(rack, params.id);
    if (grant !== undefined) return { body: await decideGrant(rack, identity, grant, body) };
    const schedule = waitingSchedule(rack, params.id);
    if (schedule !== undefined) return { body: await decideSchedule(rack, identity, schedule, body) };
    const proposal = waitingProposal(rack, params.id);
    if (proposal !== undefined) return { body: await decideProposal(rack, identity, proposal, body) };
    const question = await rack.approvals.get(params.id);
    if (question === undefined) throw gone(params.id);
    demandSomebodyElse(question, identity);
    if (question.digest !== body.digest)
      throw new Problem(409, "STATE_INVALID", "The decision is for other arguments than those of this call. Look at it again.", {
        tool: question.tool,
      });
    const { approved, digest, scope, reason, value } = body;
    const decided = await rack.approvals.decide(params.id, {
      approved,
      digest,
      scope,
      by: identity,
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
  summary: "Revoke an approval for more than one call.",
  needs: ["curator", "admin", "owner"],
  params: byId,
  answers: nothing,
  async run({ rack, identity, params }) {
    if (!(await rack.approvals.forget(params.id, identity)))
      throw new Problem(404, "NOT_FOUND", `There is no valid approval "${params.id.slice(0, 100)}".`);
    return { status: 204 };
  },
});

export const approvalRoutes: RoutesOf<ApprovalAnswers> = [list, show, decide, forget];

function waitingGrant({ grants }: Rack, id: string): WaitingGrant | undefined {
  return id.startsWith("grant-") ? grants.waiting().find((one) => one.id === id) : undefined;
}

function waitingSchedule({ automation }: Rack, id: string): WaitingSchedule | undefined {
  return id.startsWith("schedule-") ? automation.schedules.waiting().find((one) => one.id === id) : undefined;
}

async function decideSchedule(
  { automation }: Rack,
  identity: Identity,
  waiting: WaitingSchedule,
  { approved, digest }: { readonly approved: boolean; readonly digest: string },
): Promise<WaitingSchedule> {
  demandSomebodyElse({ caller: waiting.runsAs }, identity);
  const decided = await automation.schedules.decide(waiting.schedule, { approved, digest, by: identity });
  if (decided === undefined) throw gone(waiting.id);
  return waiting;
}

function waitingProposal({ proposals }: Rack, id: string): WaitingProposal | undefined {
  return id.startsWith("proposal-") ? proposals.waiting().find((one) => one.id === id) : undefined;
}

/** Settings are changed by admins, as by `PUT /settings/{key}`. */
async function decideProposal(
  { proposals }: Rack,
  identity: Identity,
  waiting: WaitingProposal,
  { approved, digest }: { readonly approved: boolean; readonly digest: string },
): Promise<WaitingProposal> {
  demandSomebodyElse(waiting, identity);
  if (approved && !identity.roles.has("admin") && !identity.roles.has("owner"))
    throw new Problem(403, "ROLE_MISSING", "Only an admin may accept a proposed change of settings.");
  const decided = await proposals.decide(waiting.id, { approved, digest, by: identity });
  if (decided === undefined) throw gone(waiting.id);
  return decided;
}

/** Grants are given by admins, as by `POST /grants`. */
async function decideGrant(
  { grants }: Rack,
  identity: Identity,
  waiting: WaitingGrant,
  { approved, digest, reason = "" }: { readonly approved: boolean; readonly digest: string; readonly reason?: string | undefined },
): Promise<WaitingGrant> {
  const { sourceId, tool } = waiting;
  if (!identity.roles.has("admin") && !identity.roles.has("owner"))
    throw new Problem(403, "ROLE_MISSING", `Only an admin may grant the tool "${tool}" what it asks for.`, { tool });
  if (!approved)
    throw new Problem(409, "STATE_INVALID", `The tool "${tool}" is not served while it has no grant, so there is nothing to refuse.`, {
      tool,
    });
  if (reason === "") throw new Problem(400, "REQUEST_INVALID", `Say why the tool "${tool}" may do this: a grant needs a reason.`, { tool });
  await grants.add({ tool: `${sourceId}/${tool}`, print: digest, reason }, identity);
  return waiting;
}

async function decideDefinition(
  { trust }: Rack,
  identity: Identity,
  { id, tool, digest: waiting }: WaitingDefinition,
  { approved, digest, reason }: { readonly approved: boolean; readonly digest: string; readonly reason?: string | undefined },
): Promise<WaitingDefinition> {
  if (digest !== waiting)
    throw new Problem(
      409,
      "STATE_INVALID",
      `The definition of "${tool}" has changed since it was looked at. Look at it again, and decide again.`,
      {
        tool,
      },
    );
  const decided = await trust.decide(id, { approved, digest, by: identity, ...(reason !== undefined && { reason }) });
  if (decided === undefined) throw gone(id);
  return decided;
}

/**
 * Nobody may decide about their own calls: neither calls made as another agent (`runAs`, or in a run of an agent), nor calls of another principal
 * with the same agent name, nor both at once. The owner of the machine may.
 */
function demandSomebodyElse({ caller: asking }: Pick<WaitingApproval, "caller">, identity: Identity): void {
  const { agent, principal, roles } = identity;
  if (roles.has("owner")) return;
  if (isOnePerson([asking.agent, asking.principal], [agent, principal]))
    throw new Problem(403, "ROLE_MISSING", `"${agent}" may not decide about its own calls. Somebody else has to.`);
}

/** The items after the cursor, in the order of their unique keys: up to the limit, and about a megabyte. */
function pageOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => readonly [number, string],
  limit: number,
  cursor: string | undefined,
  toShown: (item: Item) => Item = (item) => item,
): { readonly page: readonly Item[]; readonly next?: string } {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const isAfter = ([at, id]: readonly [number, string]): boolean =>
    after === undefined || at > after[0] || (at === after[0] && id > after[1]);
  const rest = items.filter((item) => isAfter(keyOf(item)));
  const page: Item[] = [];
  for (let bytes = 0; page.length < Math.min(limit, rest.length);) {
    const shown = toShown(rest[page.length]!);
    bytes += JSON.stringify(shown).length;
    if (bytes > pageBytes && page.length > 0) break;
    page.push(shown);
  }
  return rest.length <= page.length ? { page } : { page, next: Buffer.from(JSON.stringify(keyOf(page.at(-1)!))).toString("base64url") };
}

function readCursor(cursor: string): readonly [number, string] {
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, "base64url").toString()) as [unknown, unknown];
    if (typeof at === "number" && typeof id === "string") return [at, id];
  } catch {
    // told below
  }
  throw new Problem(400, "REQUEST_INVALID", "The cursor is not from a page of approvals. Leave it out to start from the beginning.");
}

/** The size limit of the arguments, the question and the schema in a list. */
const shownLength = 2_000;

/** Keeps pages small. Long arguments are shown as the beginning of their JSON. */
function cut(waiting: WaitingApproval): ListedApproval {
  const input = JSON.stringify(waiting.input) ?? "";
  const schema = JSON.stringify(waiting.schema) ?? "";
  const { message } = waiting;
  if (input.length <= shownLength && message.length <= shownLength && schema.length <= shownLength) return waiting;
  const { schema: whole, ...rest } = waiting;
  return {
    ...rest,
    input: input.length <= shownLength ? waiting.input : `${input.slice(0, shownLength)}…`,
    message: message.length <= shownLength ? message : `${message.slice(0, shownLength)}…`,
    ...(whole !== undefined && schema.length <= shownLength && { schema: whole }),
    isCut: true,
  };
}

function gone(id: string): Problem {
  return new Problem(404, "NOT_FOUND", `Nothing waits under "${id.slice(0, 100)}": it was answered, it expired, or its call has ended.`);
}
