import type { Caller } from "@toolrack/core";
import { Problem } from "../http/reply/problem.ts";
import { defineRoute, type RouteRequest, type RoutesOf } from "../http/route.ts";
import type { Identity } from "../http/sign-in/identity.ts";
import type {
  ProgramCallDetails,
  ProgramChain,
  ProgramDetails,
  ProgramOutcome,
  ProgramStep,
  ProgramSummary,
} from "../rack/programs/programs.ts";
import { type FieldsOf, listOf, nothing, objectOf, ok } from "./_answers.ts";
import { nextOffset, pageOf, type PageQuery, pageQuery } from "./_pages.ts";
import { isOwn, seesOthers, shownCallerSchema } from "./shared/callers.ts";

export interface ProgramList {
  readonly programs: readonly ProgramSummary[];
  readonly next?: number;
}

export interface ProgramAnswers {
  "GET /programs": ProgramList;
  "GET /programs/{id}": ProgramDetails;
  "DELETE /programs/{id}": undefined;
}

const text = { type: "string" } as const;
const number = { type: "number" } as const;
const texts = listOf<string>(text);
const byId = {
  type: "object",
  properties: { id: { type: "string", minLength: 1, maxLength: 200 } },
  required: ["id"],
  additionalProperties: false,
} as const;

const summaryFields: FieldsOf<ProgramSummary> = {
  id: text,
  status: { enum: ["waiting", "ended", "failed", "cancelled"] },
  tool: { ...text, description: "The tool whose call runs it." },
  caller: { ...shownCallerSchema, additionalProperties: true },
  callId: { ...text, description: "The call that runs it, or ran it last." },
  startedAt: number,
  updatedAt: number,
  line: { type: "integer", description: "The line that it stands on, while it waits." },
};
const callSchema = objectOf<ProgramCallDetails>(
  {
    callId: text,
    tool: text,
    input: { description: "The arguments." },
    labels: {
      type: "object",
      additionalProperties: texts,
      description: 'What is known of the arguments, by JSON Pointer: { "/text": ["untrusted"] }.',
    },
    origins: {
      type: "object",
      additionalProperties: texts,
      description: 'Where these labels come from, by JSON Pointer: { "/text": ["read_mail (line 2)"] }.',
    },
    line: { type: "integer" },
    approval: { ...text, description: "The question to a person that it waits for." },
  },
  ["origins", "approval"],
);
const outcomeSchema = objectOf<ProgramOutcome>({ value: {}, logs: texts, labels: texts, warnings: texts }, ["logs", "labels", "warnings"]);

const chainSchema = objectOf<ProgramChain>({
  levels: { type: "array", items: texts, description: "Steps of one level run at the same time." },
  edges: { type: "array", items: texts, description: "Which step waits for which: the earlier one, the later one." },
  steps: listOf(objectOf<ProgramStep>({ id: text, tool: text, status: { enum: ["not begun", "running", "waiting", "ended", "unknown"] } })),
  returned: { ...text, description: "The step whose result counts." },
});

const list = defineRoute({
  method: "GET",
  path: "/programs",
  id: "listPrograms",
  group: "calls",
  isHeavy: true,
  summary: "List programs that wait for a person, or did: the own ones; with the role subscriber, all of them. The newest first.",
  query: { type: "object", properties: pageQuery, additionalProperties: false },
  answers: ok(
    "One page.",
    objectOf<ProgramList>({ programs: listOf(objectOf<ProgramSummary>(summaryFields, ["line"])), next: nextOffset }, ["next"]),
  ),
  async run({ rack, identity, query }) {
    const own = (await rack.programs.list()).filter(({ caller }) => maySee(identity, caller));
    const { items: programs, ...rest } = pageOf(own, query as PageQuery);
    return { body: { programs, ...rest } };
  },
});

const show = defineRoute({
  method: "GET",
  path: "/programs/{id}",
  id: "showProgram",
  group: "calls",
  summary: "Show a program: its source, the line it stands on, the calls it waits for, and how it ended.",
  params: byId,
  answers: ok(
    "The program.",
    objectOf<ProgramDetails>(
      {
        ...summaryFields,
        source: text,
        chain: { ...chainSchema, description: "For a chain: its steps, and how far they are." },
        pending: listOf(callSchema),
        outcome: outcomeSchema,
        error: objectOf<NonNullable<ProgramDetails["error"]>>({ code: text, message: text }),
      },
      ["line", "chain", "outcome", "error"],
    ),
  ),
  run: async (request) => ({ body: await demandProgram(request, request.params.id) }),
});

const cancel = defineRoute({
  method: "DELETE",
  path: "/programs/{id}",
  id: "cancelProgram",
  group: "calls",
  summary: "Cancel a program that waits or runs, on any server. Its questions are withdrawn.",
  params: byId,
  answers: nothing,
  async run(request) {
    const { rack, identity, params } = request;
    const { caller } = await demandProgram(request, params.id);
    if (!isOwn(identity, caller) && !identity.roles.has("curator"))
      throw new Problem(
        403,
        "ROLE_MISSING",
        `"${identity.agent}" may cancel its own programs only. Those of others need the role "curator".`,
      );
    if (!(await rack.programs.cancel(params.id, identity)))
      throw new Problem(409, "STATE_INVALID", `The program "${params.id}" has ended already.`);
    return { status: 204 };
  },
});

export const programRoutes: RoutesOf<ProgramAnswers> = [list, show, cancel];

function maySee(identity: Identity, caller: Caller): boolean {
  return seesOthers(identity) || isOwn(identity, caller);
}

/** The same answer for a program that does not exist and for one of another caller. */
async function demandProgram({ rack, identity }: Pick<RouteRequest, "rack" | "identity">, id: string): Promise<ProgramDetails> {
  const found = await rack.programs.show(id);
  if (found === undefined || !maySee(identity, found.caller))
    throw new Problem(404, "NOT_FOUND", `There is no program "${id.slice(0, 100)}". See: toolrack programs list`);
  return found;
}
