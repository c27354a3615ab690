import type { Caller } from "@toolrack/core";
import type { PolicyConfig, PolicyWarning, ToolExplanation } from "@toolrack/core/policy";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { knownCallers, withAgentFacts } from "../rack/access/agent-facts.ts";
import type { Rack, Setting } from "../rack/rack.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { nextOffset, pageOf, type PageQuery, pageQuery } from "./_pages.ts";
import { callerSchema, seesOthers, shownCallerSchema, subjectOf } from "./shared/callers.ts";
import { isWithoutHost } from "./shared/tools.ts";
import { explainFor, explanationSchema } from "./_explanations.ts";
import { type CallerDifference, changesSchema, differencesSchema, simulate } from "./shared/policy.ts";

export interface PolicyInForce {
  readonly policy: PolicyConfig;
  readonly settings: readonly Setting[];
  readonly warnings: readonly PolicyWarning[];
  readonly problems: readonly string[];
}

/** What one caller can use. */
export interface PolicyView {
  readonly caller: Caller;
  readonly tools: readonly { readonly name: string; readonly asks: boolean }[];
  readonly warnings: readonly PolicyWarning[];
}

export interface PolicySimulation {
  readonly differences: readonly CallerDifference[];
  readonly callers: number;
}

export interface PolicyAnswers {
  "GET /policy": PolicyInForce;
  "GET /policy/view": PolicyView;
  "GET /policy/explain": ToolExplanation;
  "POST /policy/simulate": PolicySimulation;
  "GET /policy/matrix": PolicyMatrixPage;
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const caller = { ...callerSchema, description: "The caller in question, as JSON in a query. Default: the caller itself." } as const;
const settingSchema = objectOf<Setting>({ key: text, value: {}, origin: text });
const warningSchema = objectOf<PolicyWarning>(
  { step: text, kind: text, entries: listOf(text), suggestion: text, label: text, message: text },
  ["suggestion"],
);

const show = defineRoute({
  method: "GET",
  path: "/policy",
  id: "showPolicy",
  group: "policy",
  summary: "Show the current policy, with the line or record of each part.",
  needs: ["subscriber", "curator", "admin"],
  isHeavy: true,
  answers: ok(
    "The policy.",
    objectOf<PolicyInForce>({
      policy: { type: "object", additionalProperties: true },
      settings: listOf(settingSchema),
      warnings: listOf(warningSchema),
      problems: listOf(text),
    }),
  ),
  async run({ rack }) {
    const settings = rack.settings.list().filter(({ key }) => key.startsWith("policy."));
    const warnings = await rack.policyWarnings.list();
    return { body: { policy: rack.settings.policy, settings, warnings, problems: rack.settings.problems } };
  },
});

const view = defineRoute({
  method: "GET",
  path: "/policy/view",
  id: "viewPolicy",
  group: "policy",
  isCompressed: true,
  summary: "Show what a caller may use.",
  query: { type: "object", properties: { caller }, additionalProperties: false },
  answers: ok(
    "The view.",
    objectOf<PolicyView>({
      caller: shownCallerSchema,
      tools: listOf(objectOf<PolicyView["tools"][number]>({ name: text, asks: flag })),
      warnings: listOf(warningSchema),
    }),
  ),
  run(request) {
    const subject = subjectOf(request, request.query.caller as Caller | undefined);
    const { tools, warnings, decision } = request.rack.registry.view(subject);
    return {
      body: {
        caller: subject,
        tools: tools.map(({ name }) => ({ name, asks: decision(name)?.ask !== undefined })),
        // Warnings name entries, and so tools that may be hidden from this caller.
        warnings: seesOthers(request.identity) ? warnings : [],
      },
    };
  },
});

const explain = defineRoute({
  method: "GET",
  path: "/policy/explain",
  id: "explainPolicy",
  group: "policy",
  summary: "Explain why a caller may or may not use a tool: step, rule, entry, line, and how to change it.",
  query: {
    type: "object",
    properties: { tool: { type: "string", minLength: 1, maxLength: 300 }, agent: text, caller },
    required: ["tool"],
    additionalProperties: false,
  },
  answers: ok("The result, then all steps.", explanationSchema),
  run(request) {
    const { tool, agent, caller: given } = request.query;
    const subject = subjectOf(request, agent === undefined ? (given as Caller | undefined) : { ...(given as Caller | undefined), agent });
    return { body: explainFor(request, tool, subject) };
  },
});

const simulation = defineRoute({
  method: "POST",
  path: "/policy/simulate",
  id: "simulatePolicy",
  group: "policy",
  summary: "Preview a policy change: which callers would gain or lose which tools.",
  needs: ["curator", "admin"],
  isHeavy: true,
  body: {
    type: "object",
    properties: { changes: changesSchema, callers: { type: "array", items: callerSchema, maxItems: 200 } },
    required: ["changes"],
    additionalProperties: false,
  },
  answers: ok(
    "One entry for each caller for whom anything changes.",
    objectOf<PolicySimulation>({ differences: differencesSchema, callers: { type: "integer" } }),
  ),
  async run({ rack, body }) {
    const { configured } = rack.settings.preview(body.changes);
    const callers =
      body.callers === undefined ? await knownCallers(rack) : (body.callers as Caller[]).map((one) => withAgentFacts(rack, one));
    return { body: { differences: simulate(rack, configured, callers), callers: callers.length } };
  },
});

const matrix = defineRoute({
  method: "GET",
  path: "/policy/matrix",
  id: "showPolicyMatrix",
  group: "policy",
  isCompressed: true,
  summary: "Show all tools against all agents: one letter for each pair.",
  needs: ["subscriber", "curator", "admin"],
  isHeavy: true,
  query: {
    type: "object",
    properties: { all: { ...flag, description: "Also known tools without a host." }, ...pageQuery },
    additionalProperties: false,
  },
  answers: ok(
    "Rows are agents, columns tools: a allowed, ? asks a person, - hidden by policy, x not on offer.",
    objectOf<PolicyMatrixPage>(
      {
        tools: listOf(text),
        rows: listOf(objectOf<PolicyMatrix["rows"][number]>({ agent: text, cells: { type: "string", pattern: "^[a?x-]*$" } }, ["agent"])),
        withoutHost: { type: "integer", description: "How many known tools without a host are left out." },
        next: nextOffset,
      },
      ["next"],
    ),
  ),
  async run({ rack, query }) {
    const callers = await knownCallers(rack);
    const { limit, offset } = query as PageQuery;
    // Rows are computed for the page only: views of thousands of agents take seconds.
    const { tools, rows, withoutHost } = toMatrix(rack, callers.slice(offset, offset + Math.min(limit, mostViews)), query.all === true);
    const { items } = pageOf(rows, { limit: mostViews, offset: 0 });
    const next = offset + items.length;
    return { body: { tools, rows: items, withoutHost, ...(next < callers.length && { next }) } };
  },
});

const mostViews = 200;

export const policyRoutes: RoutesOf<PolicyAnswers> = [show, view, explain, simulation, matrix];

/** tools × agents, for the console. */
export interface PolicyMatrix {
  readonly tools: readonly string[];
  /** The row without an agent is an unknown agent. */
  readonly rows: readonly { readonly agent?: string; readonly cells: string }[];
  /** How many known tools are left out, because this server has no host for them. */
  readonly withoutHost: number;
}

export interface PolicyMatrixPage extends PolicyMatrix {
  readonly next?: number;
}

function toMatrix({ registry }: Rack, callers: readonly Caller[], all: boolean): PolicyMatrix {
  const known = [...new Map(registry.entries().map((entry) => [entry.tool.name, entry])).values()];
  const tools = all ? known : known.filter((entry) => !isWithoutHost(entry));
  const rows = callers.map((one) => {
    const { tools: shown, decision } = registry.view(one);
    const offered = new Set(shown.map(({ name }) => name));
    const letter = (name: string): string => {
      const decided = decision(name);
      if (offered.has(name)) return decided?.ask === undefined ? "a" : "?";
      return decided?.allowed === true ? "x" : "-";
    };
    return { ...(one.agent !== undefined && { agent: one.agent }), cells: tools.map(({ tool }) => letter(tool.name)).join("") };
  });
  return { tools: tools.map(({ tool }) => tool.name), rows, withoutHost: known.length - tools.length };
}
