import type { AgentEvent, RunResult, RunUsage, WaitingCall } from "@toolrack/agent";
import { defineRoute, type RouteAnswer, type RoutesOf } from "../http/route.ts";
import type { SessionRun } from "../rack/agents/agents.ts";
import { listOf, objectOf } from "./_answers.ts";
import type { ShowInput } from "../rack/calls/shown-input.ts";
import { callerFor } from "./shared/callers.ts";
import { asConflict, nameSession, originOf } from "./shared/sessions.ts";

/** A run of an agent: where it is, and, once it has ended, what came of it. */
export interface AgentRunAnswer {
  readonly session: string;
  readonly key: string;
  readonly status: RunResult["status"] | "running";
  readonly code?: RunResult["code"];
  readonly reason?: string;
  /** The last thing that the agent said. */
  readonly text?: string;
  readonly usage?: RunUsage;
  /** Calls that a person has to answer: `toolrack approvals`. */
  readonly waiting?: readonly Pick<WaitingCall, "callId" | "tool" | "input">[];
}

/** One event of a run, by its name. */
export type AgentRunEvent =
  | { readonly event: "started"; readonly data: Pick<AgentRunAnswer, "session" | "key"> }
  | {
      [Type in Exclude<AgentEvent["type"], "end">]: { readonly event: Type; readonly data: Extract<AgentEvent, { readonly type: Type }> };
    }[Exclude<AgentEvent["type"], "end">]
  | { readonly event: "end"; readonly data: AgentRunAnswer };

export interface AgentRunAnswers {
  "POST /agents/{id}/runs": AgentRunAnswer;
}

const text = { type: "string" } as const;
const number = { type: "number" } as const;
const whole = { type: "integer" } as const;

const answerSchema = objectOf<AgentRunAnswer>(
  {
    session: { ...text, description: "GET /sessions/{id} tells about it from then on." },
    key: text,
    status: {
      enum: ["running", "done", "waiting", "stopped", "failed"],
      description:
        '"waiting": for a person, see `waiting`. "stopped": a limit ended it, and it goes on when it is resumed or told something.',
    },
    code: text,
    reason: text,
    text: { ...text, description: "The last thing that the agent said." },
    usage: objectOf<RunUsage>(
      { inputTokens: whole, outputTokens: whole, cachedTokens: whole, costUsd: number, turns: whole, calls: whole },
      ["cachedTokens", "costUsd"],
    ),
    waiting: listOf(
      objectOf<Pick<WaitingCall, "callId" | "tool" | "input">>({ callId: text, tool: text, input: { description: "The arguments." } }),
    ),
  },
  ["code", "reason", "text", "usage", "waiting"],
);

const start = defineRoute({
  method: "POST",
  path: "/agents/{id}/runs",
  id: "runAgent",
  group: "agents",
  summary: "Give an agent something to do. Who may call it as a tool may run it.",
  streams: true,
  params: {
    type: "object",
    properties: { id: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$" } },
    required: ["id"],
    additionalProperties: false,
  },
  body: {
    type: "object",
    properties: {
      input: { type: "string", minLength: 1, maxLength: 1_000_000 },
      session: {
        type: "string",
        minLength: 1,
        maxLength: 400,
        description:
          'The id or key of a session of yours, or a name of your own: "notes" of another caller is another session. Default: a new session.',
      },
      wait: {
        type: "boolean",
        default: false,
        description: "Whether the answer comes when the run has ended. Default: at once, with 202.",
      },
    },
    required: ["input"],
    additionalProperties: false,
  },
  answers: {
    200: { description: "The run has ended.", schema: answerSchema },
    202: { description: "The input is on record, and the run is under way.", schema: answerSchema },
  },
  async run(request): Promise<RouteAnswer<AgentRunAnswer>> {
    const { rack, params, body, identity, signal } = request;
    const { input, session, wait } = body;
    const name = session === undefined ? undefined : await nameSession(request, params.id, session);
    const run = await rack.agents
      .start(params.id, { input, caller: callerFor(request), from: originOf(identity), ...(name !== undefined && { session: name }) })
      .catch(asConflict);
    if (request.wantsEvents) return { events: eventsOf(run, rack.showInput) };
    if (wait) {
      await Promise.race([run.result, untilGone(signal)]);
      return { body: toAnswer(run, await run.result, rack.showInput) };
    }
    const { session: id, key } = run;
    return { status: 202, body: { session: id, key, status: "running" }, headers: { location: `/api/v1/sessions/${id}` } };
  },
});

export const agentRunRoutes: RoutesOf<AgentRunAnswers> = [start];

async function* eventsOf(run: SessionRun, show: ShowInput): AsyncIterable<AgentRunEvent> {
  yield { event: "started", data: { session: run.session, key: run.key } };
  for await (const event of run.events) {
    if (event.type === "end") yield { event: "end", data: toAnswer(run, event.result, show) };
    // Messages and calls have inputs in them.
    else yield { event: event.type, data: show(event) } as AgentRunEvent;
  }
}

function toAnswer(
  { session, key }: SessionRun,
  { status, code, reason, text: said, usage, waiting }: RunResult,
  show: ShowInput,
): AgentRunAnswer {
  return {
    session,
    key,
    status,
    code,
    reason,
    text: said,
    usage,
    ...(waiting !== undefined && { waiting: waiting.map(({ callId, tool, input }) => ({ callId, tool, input: show(input) })) }),
  };
}

/** A client that leaves does not end the run: the session is there, and can be asked for. */
function untilGone(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));
}
