import { defineRoute, type RouteAnswer, type RouteRequest, type RoutesOf } from "../http/route.ts";
import { deliveries, isSwitchOf, registeredNameOf } from "@toolrack/core/internal";
import { shellWord } from "@toolrack/core/internal/shell-word";
import {
  type Caller,
  errorCodes,
  type InvokeOptions,
  type Progress,
  type RegistryEntry,
  type ToolDefinition,
  type ToolResult,
  type ToolSuccess,
} from "@toolrack/core";
import { Problem } from "../http/reply/problem.ts";
import type { WaitingNotice } from "../rack/approvals/approval.ts";
import type { RunningCall } from "../rack/rack.ts";
import { missingAnswer } from "../rack/access/missing-answer.ts";
import { callIdOf } from "../rack/jobs/run-call.ts";
import { unlistedNote } from "../rack/access/unlisted-note.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { bundleParameter, membersOf } from "./shared/bundles.ts";
import { callerFor, ownFacts, runAsParameters, seesOthers } from "./shared/callers.ts";
import { explainFor } from "./_explanations.ts";
import { answerWith, resultAnswers, successSchema } from "./_results.ts";
import {
  entryOf,
  noTool,
  searched,
  ofSource,
  seenBy,
  summaries,
  summary,
  summarySchema,
  type ToolDetails,
  toolSchema,
  toolStates,
  type ToolSummary,
} from "./shared/tools.ts";

export interface ToolList {
  readonly tools: readonly ToolSummary[];
  readonly revision: number;
  /** Why the list is empty, if the configuration does not list the agent. */
  readonly note?: string;
}

/** What a call answers as server-sent events. */
export type CallEvent =
  | { readonly event: "started"; readonly data: { readonly callId: string; readonly tool: string } }
  | { readonly event: "progress"; readonly data: Progress & { readonly callId: string } }
  | { readonly event: "waiting"; readonly data: WaitingNotice & { readonly callId: string } }
  | { readonly event: "result"; readonly data: ToolResult };

export interface ToolAnswers {
  "GET /tools": ToolList;
  "GET /tools/{name}": ToolDetails;
  "POST /tools/{name}/call": ToolSuccess;
  "POST /tools/{name}/disable": ToolSummary;
  "POST /tools/{name}/enable": ToolSummary;
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const byName = {
  type: "object",
  properties: { name: { type: "string", minLength: 1, maxLength: 300 } },
  required: ["name"],
  additionalProperties: false,
} as const;

const list = defineRoute({
  method: "GET",
  path: "/tools",
  id: "listTools",
  group: "tools",
  isCompressed: true,
  summary: "List the tools that the caller may use.",
  query: {
    type: "object",
    properties: {
      category: text,
      source: { ...text, description: "With or without its type: github, mcp:github. packs: all packs, also those of modules." },
      tag: { type: "string", minLength: 1, maxLength: 256, description: 'As in the tool\'s definition: "category:general" is one, too.' },
      state: { enum: toolStates },
      q: { type: "string", minLength: 1, maxLength: 500, description: "A description of the task; the best tools come first." },
      limit: { type: "integer", minimum: 1, maximum: 1_000 },
      ...bundleParameter,
      all: {
        ...flag,
        description: "Also tools that are hidden, unavailable or without a host. Needs the role subscriber, curator or admin.",
      },
      ...runAsParameters,
    },
    additionalProperties: false,
  },
  answers: ok(
    "The tools, in the registry's order; for a search the best first.",
    objectOf<ToolList>(
      {
        tools: listOf(summarySchema),
        revision: { type: "integer" },
        note: { ...text, description: "Why the list is empty, if the configuration does not list the agent." },
      },
      ["note"],
    ),
  ),
  async run(request) {
    const { rack, identity, query } = request;
    const caller = callerFor(request, query);
    if (query.all === true && !seesOthers(identity))
      throw new Problem(403, "ROLE_MISSING", 'Hidden tools are shown only to the roles "subscriber", "curator" and "admin".');
    const found = query.q === undefined ? undefined : await searched(rack, query.q, caller, request.signal);
    const bundle = query.bundle === undefined ? undefined : membersOf(rack, query.bundle);
    const isOfSource = query.source === undefined ? undefined : ofSource(rack, query.source);
    const listed = (found ?? summaries(rack, caller, query.all === true)).filter(
      (tool) =>
        bundle?.has(tool.name) !== false &&
        (query.category === undefined || tool.category === query.category) &&
        isOfSource?.(tool.source) !== false &&
        (query.tag === undefined || hasTag(tool, query.tag)) &&
        (query.state === undefined || tool.state === query.state),
    );
    const position = (tool: ToolSummary): number => bundle?.get(tool.name) ?? 0;
    const tools = bundle === undefined || found !== undefined ? listed : [...listed].sort((a, b) => position(a) - position(b));
    const note = tools.length === 0 ? unlistedNote(rack.registry, caller) : undefined;
    return { body: { tools: tools.slice(0, query.limit), revision: rack.registry.revision, ...(note !== undefined && { note }) } };
  },
});

const show = defineRoute({
  method: "GET",
  path: "/tools/{name}",
  id: "showTool",
  group: "tools",
  summary: "Show a tool: its schemas, its state, and why the caller may or may not use it.",
  params: byName,
  query: { type: "object", properties: runAsParameters, additionalProperties: false },
  answers: ok("The tool.", toolSchema),
  async run(request) {
    const { rack, params, query } = request;
    const caller = callerFor(request, query);
    await rack.absent.lookFor(params.name);
    const { tool, entry } = known(request, params.name, caller);
    const { inputSchema, outputSchema, metadata } = tool;
    const { when: _, ...plain } = metadata ?? {};
    const overlay = seesOthers(request.identity) ? rack.overlays.get(tool.name) : undefined;
    return {
      body: {
        ...summary(rack, entry, seenBy(rack, caller)),
        inputSchema,
        ...(outputSchema !== undefined && { outputSchema }),
        ...(metadata !== undefined && { metadata: plain }),
        ...(metadata?.needs !== undefined && { needs: { ...metadata.needs, status: "declared, not enforced" as const } }),
        ...(overlay && { overlay }),
        ...(seesOthers(request.identity) && { wrappers: rack.registry.wrappers(tool.name) }),
        explanation: explainFor(request, tool.name, caller),
      },
    };
  },
});

const call = defineRoute({
  method: "POST",
  path: "/tools/{name}/call",
  id: "callTool",
  group: "tools",
  summary: "Call a tool.",
  streams: true,
  keepsIdempotency: true,
  params: byName,
  body: {
    type: "object",
    properties: {
      input: { description: "The input of the tool; see its inputSchema. Default: {}." },
      ...ownFacts,
      timeoutMs: { type: "integer", minimum: 1, maximum: 3_600_000 },
      bundle: { ...bundleParameter.bundle, description: "Only a tool of this bundle is called." },
      deliver: {
        enum: deliveries,
        description:
          'Who gets the result: "user" sends it as the event result-for-user, and answers "Shown to the user." Default: what the tool says, else "model".',
      },
      mode: {
        enum: ["call", "job"],
        description:
          '"job": answers at once with 202 and the id of a job in `data.job`, which GET /jobs/{id} tells about. Default: "call".',
      },
      ...runAsParameters,
    },
    additionalProperties: false,
  },
  answers: { ...resultAnswers, 202: { description: "A job was made, which makes the call.", schema: successSchema } },
  async run(request) {
    const { rack, params, body, identity, trace } = request;
    const { input = {}, timeoutMs, deliver } = body;
    const caller = callerFor(request, body);
    if (body.bundle !== undefined) demandMember(request, params.name, body.bundle);
    const idempotencyKey = request.header("idempotency-key");
    if (body.mode === "job") return makeJob(request, params.name, { input, caller, timeoutMs, deliver, key: idempotencyKey });
    const started = rack.call(params.name, input, { caller, timeoutMs, deliver, idempotencyKey, trace });
    request.onGone((reason) => started.cancel(reason));
    if (caller.acting === true)
      await rack.audit({ kind: "run-as", subject: params.name, by: identity, body: { caller, callId: started.callId } });
    return request.wantsEvents ? { events: eventsOf(started, request.signal) } : answerWith(await started.result);
  },
});

const disable = defineRoute({
  method: "POST",
  path: "/tools/{name}/disable",
  id: "disableTool",
  group: "tools",
  summary: "Disable a tool, on all servers, at once.",
  needs: ["curator", "admin"],
  params: byName,
  body: { type: "object", properties: { reason: { type: "string", minLength: 1, maxLength: 500 } }, additionalProperties: false },
  answers: ok("The current state of the tool.", summarySchema),
  run: (request) =>
    setSwitch(request, request.params.name, { enabled: false, ...(request.body.reason !== undefined && { reason: request.body.reason }) }),
});

const enable = defineRoute({
  method: "POST",
  path: "/tools/{name}/enable",
  id: "enableTool",
  group: "tools",
  summary: "Enable a tool again. What the file disables needs the admin role.",
  needs: ["curator", "admin"],
  params: byName,
  answers: ok("The current state of the tool.", summarySchema),
  run: (request) => setSwitch(request, request.params.name, { enabled: true }),
});

/** A bundle is all that its caller has: whether another tool exists is not said. */
function demandMember({ rack }: Pick<RouteRequest, "rack">, name: string, bundle: string): void {
  const members = membersOf(rack, bundle);
  if (members.has(rack.registry.get(name)?.name ?? name)) return;
  const detail = `The bundle "${bundle}" has no tool "${name.slice(0, 128)}". GET /api/v1/tools?bundle=${encodeURIComponent(bundle)} lists its tools.`;
  throw new Problem(404, "TOOL_NOT_FOUND", detail, { tool: name });
}

/** The tags of its definition record. */
function hasTag({ tags = [], category }: ToolSummary, tag: string): boolean {
  return tags.includes(tag) || (category !== undefined && tag === `category:${category}`);
}

export const toolRoutes: RoutesOf<ToolAnswers> = [list, show, call, disable, enable];

async function setSwitch(
  request: RouteRequest,
  name: string,
  value: { readonly enabled: boolean; readonly reason?: string },
): Promise<{ readonly body: ToolSummary }> {
  const { rack, identity } = request;
  const caller = callerFor(request);
  const { tool } = known(request, name, caller);
  const names = value.enabled ? switchedOff(rack, tool) : [registeredNameOf(tool)];
  await rack.settings.setAll(Object.fromEntries(names.map((one) => [`tools.${one}`, value])), identity);
  return { body: summary(rack, entryOf(rack, tool), seenBy(rack, caller)) };
}

/** The names under which a tool is switched off: where it was renamed, any of them does. */
function switchedOff({ registry, settings }: RouteRequest["rack"], tool: ToolDefinition): readonly string[] {
  const isTaken = (name: string): boolean => registry.get(name)?.name === name;
  const names = [...settings.disabled().keys()].filter((name) => isSwitchOf(name, tool, isTaken));
  return names.length > 0 ? names : [registeredNameOf(tool)];
}

/** The answer is a result, too: its text tells a model what to do. */
async function makeJob(
  { rack, identity }: Pick<RouteRequest, "rack" | "identity">,
  name: string,
  {
    input,
    caller,
    timeoutMs,
    deliver,
    key,
  }: Pick<InvokeOptions, "deliver"> & {
    readonly input: unknown;
    readonly caller: Caller;
    readonly timeoutMs?: number | undefined;
    readonly key?: string | undefined;
  },
): Promise<RouteAnswer<ToolSuccess>> {
  const { job, isNew } = await rack.jobs.add({
    tool: name,
    input,
    caller,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(deliver !== undefined && { deliver }),
    ...(key !== undefined && { key }),
  });
  const { id, subject: tool, state } = job;
  if (isNew) await rack.audit({ kind: "job-made", subject: id, by: identity, body: { tool, caller, origin: job.origin } });
  const fact = job.endedAt === undefined ? "makes this call. Its result comes later" : `made this call, and is ${state}`;
  const content = `The job ${id} ${fact}: GET /api/v1/jobs/${id}, or toolrack jobs show ${shellWord(id)}`;
  const meta = { callId: callIdOf(id, 1), tool, durationMs: 0 };
  return { status: 202, body: { ok: true, content, data: { job: { id, state } }, meta }, headers: { location: `/api/v1/jobs/${id}` } };
}

async function* eventsOf(started: RunningCall, signal: AbortSignal): AsyncIterable<CallEvent> {
  const { callId, tool } = started;
  yield { event: "started", data: { callId, tool } };
  for await (const { waiting, ...progress } of started.progress({ signal }))
    yield waiting === undefined ? { event: "progress", data: { callId, ...progress } } : { event: "waiting", data: { callId, ...waiting } };
  yield { event: "result", data: await started.result };
}

/** A hidden tool is answered like a call of it: 403, with the reason, and nothing about other tools. */
function known(request: RouteRequest, name: string, caller: Caller): { readonly tool: ToolDefinition; readonly entry: RegistryEntry } {
  const { rack, identity } = request;
  const tool = rack.registry.get(name);
  const missing = tool === undefined ? missingAnswer(rack, name, caller) : undefined;
  if (missing !== undefined) {
    const { code, error, retryAfterMs } = missing;
    throw new Problem(errorCodes[code].status, code, error, { tool: name, ...(retryAfterMs !== undefined && { retryAfterMs }) });
  }
  if (tool === undefined)
    throw noTool(name, seesOthers(identity) ? rack.registry.entries().map((one) => one.tool) : rack.registry.view(caller).tools);
  if (!seesOthers(identity) && rack.registry.view(caller).offered(tool.name) !== tool) {
    const detail = rack.registry.explain(tool.name, caller).sentences.join(" ");
    throw new Problem(403, "TOOL_NOT_ALLOWED", detail, { tool: tool.name });
  }
  return { tool, entry: entryOf(rack, tool) };
}
