import { setImmediate as nextTurn } from "node:timers/promises";
import { defineRoute, type RouteRequest, type RoutesOf } from "../http/route.ts";
import type { Caller, ToolSuccess } from "@toolrack/core";
import type { ErrorDetails, StoredCall } from "@toolrack/store";
import type { Identity } from "../http/sign-in/identity.ts";
import { Problem } from "../http/reply/problem.ts";
import type { RunningCall } from "../rack/rack.ts";
import { type FieldsOf, listOf, nothing, objectOf, ok } from "./_answers.ts";
import { isOwn, ownPrincipals, seesOthers, shownCallerSchema } from "./shared/callers.ts";
import { nextOffset, pageBytes, pageOf, type PageQuery, pageQuery, readSlices } from "./_pages.ts";
import { exportOf, formatOf, formatQuery, pageOrExport } from "./_exports.ts";
import { answerWith, resultAnswers } from "./_results.ts";
import { type Columns, jsonCell } from "./shared/csv.ts";
import { readTimeRange, timeRangeQuery } from "./shared/time-range.ts";
import { visibleTools } from "./_visible.ts";

const text = { type: "string" } as const;
const number = { type: "number" } as const;
const byId = {
  type: "object",
  properties: { id: { type: "string", minLength: 1, maxLength: 100 } },
  required: ["id"],
  additionalProperties: false,
} as const;

/** A call in the log; the stack of a failure is shown to curators only. */
export interface RecordedCall extends Omit<StoredCall, "error"> {
  readonly error?: ShownError;
}

export type ShownError = Omit<ErrorDetails, "stack"> & Pick<Partial<ErrorDetails>, "stack">;

export interface CallPage {
  readonly calls: readonly RecordedCall[];
  readonly next?: number;
}

/** A call, and the calls that it made. */
export interface CallDetails extends RecordedCall {
  readonly children: readonly RecordedCall[];
}

export type RunningCallInfo = Pick<RunningCall, "callId" | "tool" | "caller" | "startedAt">;

export interface RunningCallList {
  readonly calls: readonly RunningCallInfo[];
  readonly next?: number;
}

export interface CallAnswers {
  "GET /calls": CallPage;
  "GET /calls/{id}": CallDetails;
  "GET /running": RunningCallList;
  "GET /calls/{id}/wait": ToolSuccess;
  "POST /calls/{id}/cancel": undefined;
}

const storedFields: FieldsOf<RecordedCall> = {
  number: { type: "integer" },
  callId: text,
  tool: text,
  ok: { type: "boolean" },
  code: text,
  startedAt: number,
  durationMs: { ...number, description: "With the time that it waited for people." },
  waitedMs: { ...number, description: "How long it waited for people." },
  caller: { ...shownCallerSchema, additionalProperties: true },
  version: text,
  upstream: { ...text, description: "Its source and its name there, if an overlay changes the tool." },
  parentCallId: text,
  labels: {
    type: "object",
    additionalProperties: { type: "array", items: text },
    description: 'What was known of the arguments that a program gave, by JSON Pointer: { "/text": ["untrusted"] }.',
  },
  input: {},
  deliver: { enum: ["user", "both", "none"], description: "Who got the result, if not the model alone." },
  output: {},
  blocks: { description: "Images and the like of a result for the user." },
  error: { type: "object", additionalProperties: true },
};
const storedOptional = [
  "code",
  "waitedMs",
  "version",
  "upstream",
  "parentCallId",
  "labels",
  "input",
  "deliver",
  "output",
  "blocks",
  "error",
] as const;
const storedSchema = objectOf<RecordedCall>(storedFields, storedOptional);
const runningSchema = objectOf<RunningCallInfo>({ callId: text, tool: text, caller: storedFields.caller, startedAt: number });

const list = defineRoute({
  method: "GET",
  path: "/calls",
  id: "listCalls",
  isHeavy: true,
  group: "calls",
  summary: "Read the log of calls, newest first: the own calls; with the role subscriber, all calls.",
  query: {
    type: "object",
    properties: {
      tool: text,
      agent: text,
      ok: { type: "boolean" },
      idPrefix: { type: "string", minLength: 1, maxLength: 100, description: "Only calls whose ids begin with this." },
      ...timeRangeQuery,
      from: { type: "number", deprecated: true, description: "Milliseconds since 1970; send since instead." },
      before: { type: "integer", minimum: 1, description: "Only calls below this number; see `next`." },
      limit: { type: "integer", minimum: 1, maximum: 500, description: "Default: 50 as JSON, else all." },
      format: formatQuery,
    },
    additionalProperties: false,
  },
  answers: pageOrExport(
    "One page, or all calls as CSV or lines of JSON.",
    objectOf<CallPage>({ calls: listOf(storedSchema), next: { type: "integer", description: "For `before` of the next page." } }, ["next"]),
  ),
  async run(request) {
    const { rack, identity, query } = request;
    const isVisible = visibleTools(request);
    const { tool, ok: wanted, idPrefix, before, limit } = query;
    const range = readTimeRange(query, Date.now());
    const format = formatOf(request, query.format);
    const seesAll = seesOthers(identity);
    const agent = seesAll ? query.agent : identity.agent;
    const principals = seesAll ? undefined : ownPrincipals(identity);
    const read = (last: StoredCall | undefined, count: number): Promise<readonly StoredCall[]> =>
      rack.calls.list({ tool, agent, principals, idPrefix, ok: wanted, ...range, before: last?.number ?? before, limit: count });
    // The log uses the sender if the agent is unknown; and several issuers may have agents of the same name.
    const isOwnCall = ({ caller }: StoredCall): boolean =>
      seesAll ? agent === undefined || caller.agent === agent : isOwn(identity, caller);
    const show = (call: StoredCall): RecordedCall | undefined => (isOwnCall(call) && isVisible(call.tool) ? toPlain(call) : undefined);
    if (format !== "json") return exportOf(request, { format, name: "calls", columns, limit, read, show });
    const { items: page, hasMore } = await readSlices<StoredCall>({ limit: limit ?? 50, read });
    const next = hasMore ? page.at(-1)?.number : undefined;
    return { body: { calls: page.flatMap((call) => show(call) ?? []), ...(next !== undefined && { next }) } };
  },
});

const columns: Columns<RecordedCall> = {
  number: ({ number: place }) => place,
  startedAt: ({ startedAt }) => new Date(startedAt).toISOString(),
  callId: ({ callId }) => callId,
  tool: ({ tool }) => tool,
  version: ({ version }) => version,
  upstream: ({ upstream }) => upstream,
  agent: ({ caller }) => caller.agent,
  principal: ({ caller }) => caller.principal,
  ok: (call) => call.ok,
  code: ({ code }) => code,
  durationMs: ({ durationMs }) => durationMs,
  waitedMs: ({ waitedMs }) => waitedMs,
  parentCallId: ({ parentCallId }) => parentCallId,
  caller: ({ caller }) => jsonCell(caller),
  input: ({ input }) => jsonCell(input),
  output: ({ output }) => jsonCell(output),
  error: ({ error }) => jsonCell(error),
};

const maxLooked = 5_000;
const maxChildren = 500;

const show = defineRoute({
  method: "GET",
  path: "/calls/{id}",
  id: "showCall",
  group: "calls",
  summary: "Show a recorded call with its nested calls.",
  params: byId,
  isHeavy: true,
  answers: ok(
    "The call, with the newest 500 of the calls that it made, a megabyte at most.",
    objectOf<CallDetails>({ ...storedFields, children: listOf(storedSchema) }, storedOptional),
  ),
  async run(request) {
    const { rack, identity, params } = request;
    const isVisible = visibleTools(request);
    const call = await rack.calls.show(params.id);
    if (call === undefined || !maySee(identity, call.caller) || !isVisible(call.tool)) throw noCall(params.id);
    const children = (await childrenOf(rack, call)).filter(({ tool }) => isVisible(tool));
    // Stack traces are for curators only.
    const shown = identity.roles.has("curator") ? call : toPlain(call);
    return { body: { ...shown, children: children.map(toPlain) } };
  },
});

const running = defineRoute({
  method: "GET",
  path: "/running",
  id: "listRunningCalls",
  group: "calls",
  summary: "List the running calls of all servers.",
  query: { type: "object", properties: pageQuery, additionalProperties: false },
  answers: ok(
    "Those of the server that answers first.",
    objectOf<RunningCallList>({ calls: listOf(runningSchema), next: nextOffset }, ["next"]),
  ),
  async run(request) {
    const { rack, identity, query } = request;
    const isVisible = visibleTools(request);
    const own = (await rack.running.listAll()).filter(({ caller, tool }) => maySee(identity, caller) && isVisible(tool));
    const { items: calls, ...rest } = pageOf(own, query as PageQuery);
    return { body: { calls, ...rest } };
  },
});

const waitFor = defineRoute({
  method: "GET",
  path: "/calls/{id}/wait",
  id: "waitForCall",
  group: "calls",
  summary: "Wait for a call on any server to end, and get its result.",
  params: byId,
  query: {
    type: "object",
    properties: { timeoutMs: { type: "integer", minimum: 1, maximum: 300_000, default: 30_000 } },
    additionalProperties: false,
  },
  answers: resultAnswers,
  async run(request) {
    const { rack, identity, params, query, signal } = request;
    await demandCall(rack, identity, params.id);
    const result = await rack.running.waitFor(params.id, { timeoutMs: query.timeoutMs, signal });
    // A result of a tool that the policy hides by now is not shown.
    if (!visibleTools(request)(result.meta.tool)) throw noCall(params.id);
    return answerWith(result);
  },
});

const cancel = defineRoute({
  method: "POST",
  path: "/calls/{id}/cancel",
  id: "cancelCall",
  group: "calls",
  summary: "Cancel a running call, on any server.",
  params: byId,
  body: { type: "object", properties: { reason: { type: "string", minLength: 1, maxLength: 500 } }, additionalProperties: false },
  answers: nothing,
  async run({ rack, identity, params, body }) {
    const isRunning = await demandCall(rack, identity, params.id, "cancel");
    if (!isRunning) throw new Problem(409, "STATE_INVALID", `The call "${params.id}" has ended already.`, { callId: params.id });
    await rack.running.cancel(params.id, body.reason ?? `Asked for by ${identity.agent}.`);
    return { status: 204 };
  },
});

export const callRoutes: RoutesOf<CallAnswers> = [list, show, running, waitFor, cancel];

/** The own calls; with a role that sees others, all calls. */
function maySee(identity: Identity, caller: Caller): boolean {
  return seesOthers(identity) || isOwn(identity, caller);
}

/** Throws the same error for a call that does not exist and for one of another caller. True while it runs. */
async function demandCall(
  rack: RouteRequest["rack"],
  identity: Identity,
  callId: string,
  purpose: "wait" | "cancel" = "wait",
): Promise<boolean> {
  const found = await rack.running.find(callId);
  if (found === undefined || !maySee(identity, found.caller)) throw noCall(callId);
  if (purpose === "cancel" && !isOwn(identity, found.caller) && !identity.roles.has("curator"))
    throw new Problem(403, "ROLE_MISSING", `"${identity.agent}" may cancel its own calls only. Those of others need the role "curator".`);
  return found.isRunning;
}

function noCall(callId: string): Problem {
  return new Problem(404, "NOT_FOUND", `There is no call "${callId.slice(0, 100)}".`);
}

const callsAtOnce = 50;

/** Nested calls end before their parent, so they come before it in the log. */
async function childrenOf(rack: RouteRequest["rack"], parent: StoredCall): Promise<readonly StoredCall[]> {
  const family = new Set([parent.callId]);
  const found: StoredCall[] = [];
  let before = parent.number;
  let bytes = 0;
  for (let looked = 0; looked < maxLooked;) {
    const page = await rack.calls.list({ before, from: parent.startedAt, limit: callsAtOnce });
    looked += page.length;
    // Newest first: a call comes after its parent.
    for (const call of page) {
      if (call.parentCallId === undefined || !family.has(call.parentCallId)) continue;
      bytes += JSON.stringify(call).length;
      if (bytes > pageBytes || found.length >= maxChildren) return found.toReversed();
      family.add(call.callId);
      found.push(call);
    }
    if (page.length < callsAtOnce) break;
    before = page.at(-1)!.number;
    await nextTurn();
  }
  return found.toReversed();
}

/** Without the stack of a failure. */
function toPlain({ error, ...call }: StoredCall): RecordedCall {
  if (error === undefined) return call;
  const { stack: _, ...plain } = error;
  return { ...call, error: plain };
}
