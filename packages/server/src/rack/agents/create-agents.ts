import { randomUUID } from "node:crypto";
import type { AgentEvent, Message, RunResult } from "@toolrack/agent";
import { type Caller, type Logger, ToolError } from "@toolrack/core";
import { sessionKind } from "@toolrack/core/internal";
import { type BreadcrumbStore, createSessionStore, type Session, type SessionFilter } from "@toolrack/store";
import { type RunnableAgent, runnableAgents, withModel } from "../../config/agents.ts";
import type { RackConfig } from "../../config/config.ts";
import { type AgentQuestions, approvalSchema, questionId } from "../approvals/approvals.ts";
import { hasEnded } from "../cluster/server-name.ts";
import { presentCaller } from "../jobs/present-caller.ts";
import type { ApiKeys } from "../rack.ts";
import type { RecordFeed } from "../store/records.ts";
import type { Agents, SessionRun, RunRequest } from "./agents.ts";
import type { BegunRun, NewRun, RunParts } from "./begin-run.ts";
import { createSpawnedEnds } from "./end-spawned.ts";
import { createHostStates, type Spawned, type Starter } from "./host-state.ts";
import { inheritRights } from "./inherit-rights.ts";
import { lastText } from "./last-text.ts";
import { createRightsNow } from "./rights-now.ts";
import { isSame, plainCaller } from "./starter.ts";
import { nextChange, untilAborted } from "./wait-for-session.ts";
import { createPages } from "./session-pages.ts";
import { whyNotResumed } from "./why-not-resumed.ts";
import { isCall, questionOf, waitingCalls } from "./waiting-calls.ts";

export interface AgentManager extends Agents {
  /** Which questions to people are asked by runs. */
  readonly questions: AgentQuestions;
  /** The run in which a call was made. */
  runOf(call: { readonly callId: string; readonly caller: Caller }): SessionRun | undefined;
  /** Begins a session below another one. Its end is a message to that one. */
  spawn(agent: string, request: SpawnedRun): Promise<SessionRun>;
  /** How a session was spawned. */
  spawnedOf(session: Session): Spawned | undefined;
  /** Whether a model of an agent can be told how much to think. @param model its own, if absent */
  canThink(agent: string, model: string | undefined): Promise<boolean>;
  /** Spawned sessions below a parent whose messages are gone. */
  removedBelow(parent: string): readonly Session[];
  /** How the newest run of a session ended, if it was on this server and not long ago. */
  lastResult(session: string): RunResult | undefined;
  /** Makes a session that nobody has said anything in. */
  create(agent: string, request: Pick<RunRequest, "caller" | "session" | "label" | "from" | "model">): Promise<Session>;
  /** Goes on with a session, if there is something to go on with. */
  wake(session: string): Promise<void>;
  /** From now on this server goes on with sessions of others: its tools are there. */
  begin(): Promise<void>;
  /** Looks for sessions whose server ended, whose question was answered, or that have something to read. */
  sweep(): Promise<void>;
  close(graceMs: number): Promise<void>;
}

export interface SpawnedRun extends RunRequest {
  readonly session: string;
  /** The id of the session that spawns it. */
  readonly parent: string;
  readonly spawned: Spawned;
}

export interface AgentsOptions extends Omit<RunParts, "sessions" | "states" | "isAgent"> {
  readonly store: BreadcrumbStore;
  readonly sharedKey: Uint8Array;
  readonly feed: RecordFeed;
  readonly keys: Pick<ApiKeys, "list" | "wereMade">;
  readonly log: Logger;
  /** The agents of the settings in force. */
  agents(): RackConfig["agents"];
  isAsking(question: string): Promise<boolean>;
  onStoreFailed(error: unknown): void;
}

/** Runs on one server at the same time. */
export const maxRuns = 100;
/** Runs of a session that nobody began: agents that write to each other end here, and so does a session that ends every server. */
export const maxUnattended = 20;
/** A session of a server that cannot be asked is left alone for so long after its last change; its lease holds as long. */
const leaseMs = 30_000;

export function createAgents(options: AgentsOptions): AgentManager {
  const { registry, feed, keys, log, clock, onStoreFailed } = options;
  const sessions = createSessionStore<Message>(options.store);
  const states = createHostStates(options.sharedKey);
  const live = new Map<string, BegunRun>();
  const ends = new Map<SessionRun, Promise<unknown>>();
  const results = new Map<string, RunResult>();
  /** Sessions that are about to run here. */
  const beginning = new Set<string>();
  let hasBegun = false;
  let isClosing = false;

  const list = (): readonly RunnableAgent[] => runnableAgents(options.agents());
  const find = (id: string): RunnableAgent | undefined => list().find((agent) => agent.id === id);
  const parts: RunParts = { ...options, sessions, states, isAgent: (tool) => find(tool) !== undefined };
  const starterOf: Agents["starterOf"] = (session) => states.read(session)?.starter.caller;
  const spawnedOf: AgentManager["spawnedOf"] = (session) => states.read(session)?.starter.spawned;
  const rightsNow = createRightsNow({
    registry,
    get: (id) => sessions.get(id),
    find,
    starterOf: (session) => states.read(session)?.starter,
    presentCaller: (caller) => presentCaller(caller, keys, clock.now()),
  });
  const pages = createPages(sessions);
  const spawnedEnds = createSpawnedEnds({ sessions, clock, spawnedOf });

  async function begin(run: Omit<NewRun, "whyNot">): Promise<BegunRun> {
    const { id } = run.session;
    if (live.has(id) || beginning.has(id))
      throw new ToolError(
        "BLOCKED",
        `Session "${run.session.key}" runs already. Wait until it has ended, or send it a message, which it reads between two turns.`,
      );
    if (isClosing) throw new ToolError("ABORTED", "The server shuts down. Try again later.", { retryAfterMs: 1_000 });
    if (live.size + beginning.size >= maxRuns)
      throw new ToolError("QUEUE_FULL", `${maxRuns} runs of agents are under way on this server, and no more may be. Try again later.`, {
        retryable: true,
      });
    beginning.add(id);
    try {
      const { beginRun } = await import("./begin-run.ts");
      const begun = await beginRun(parts, { ...run, whyNot: stillAllowed(run) });
      live.set(id, begun);
      const end = begun.result.then((result) => afterRun(begun, result)).catch(onStoreFailed);
      ends.set(begun, end);
      void end.finally(() => ends.delete(begun));
      return begun;
    } finally {
      beginning.delete(id);
    }
  }

  /** Why a run may not go on: whoever began it has signed off since, or may use its agent no more. */
  function stillAllowed({ agent: { id }, starter }: Pick<NewRun, "agent" | "starter">): NewRun["whyNot"] {
    const isAsked = starter.isAsked ?? isAskedOf(id, starter);
    return async () => {
      if (find(id) === undefined) return `The agent "${id}" runs here no more.`;
      const caller = await presentCaller(starter.caller, keys, clock.now());
      if (typeof caller === "string") return caller;
      if (starter.caller.owner === true && caller.owner !== true) return "Whoever began the run is not the owner any more.";
      return isAsked && !isOffered(id, caller) ? registry.explain(id, withoutInherited(caller)).sentences.join(" ") : undefined;
    };
  }

  /** Whether what is kept of a caller allows it the agent: it may not be all that it was allowed by. */
  function isAskedOf(agent: string, { caller, spawned }: Starter): boolean {
    return spawned === undefined && isOffered(agent, caller);
  }

  function isOffered(agent: string, caller: Caller): boolean {
    return registry.view(withoutInherited(caller)).offered(agent) !== undefined;
  }

  async function afterRun({ session, key, agent }: SessionRun, result: RunResult): Promise<void> {
    const { status, code, reason, usage } = result;
    results.delete(session);
    results.set(session, result);
    if (results.size > maxResults) results.delete(results.keys().next().value!);
    live.delete(session);
    if (code === "busy") return;
    log.debug("A run of an agent ended.", { agent, session: key, status, code, turns: usage.turns, calls: usage.calls });
    if (status === "failed") log.warn(`A run of agent "${agent}" failed: ${reason}`, { session: key });
    if (!isClosing) await spawnedEnds.end(session, result).catch(onStoreFailed);
    // Another server, or this one when it is back, goes on with it.
    if (isClosing && code === "cancelled") return void (await sessions.update(session, { status: "running" }));
    // What came while it ended.
    if (code !== "cancelled" && status !== "failed") await wake(session);
  }

  /** A person is there: its runs are counted anew. */
  async function attend({ id }: Session): Promise<void> {
    const lease = await sessions.acquire(id, `${options.ownName()}/a person`, 5_000);
    if (lease === undefined) return; // it runs, and its next run is counted
    const session = await sessions.get(id);
    const known = session && states.read(session);
    if (known !== undefined) await sessions.update(id, { state: { ...session!.state, server: { ...known.host, unattended: 0 } } }, lease);
    await sessions.release(lease);
  }

  function requireAllowed(agent: string, caller: Caller): RunnableAgent {
    const found = find(agent);
    if (found === undefined) throw unknownAgent(agent);
    if (registry.view(caller).offered(found.id) === undefined)
      throw new ToolError("TOOL_NOT_ALLOWED", registry.explain(found.id, caller).sentences.join(" "));
    return found;
  }

  async function openSession(
    { id }: RunnableAgent,
    { session: name, depth = 0, caller, label, parent, model }: Omit<RunRequest, "input">,
    starter: Starter,
  ): Promise<Session> {
    const key = name === undefined ? `agent:${id}:run:${randomUUID()}` : name.startsWith("agent:") ? name : `agent:${id}:${name}`;
    const found = name === undefined ? undefined : ((await sessions.get(name)) ?? (await sessions.get(key)));
    if (found !== undefined) {
      const isOwn = isSame(starterOf(found), caller) && found.agent === id;
      if (!isOwn) throw new ToolError("BLOCKED", `There is no session "${name}" of yours with agent "${id}", and its name is taken.`);
      return found;
    }
    if (!key.startsWith(`agent:${id}:`))
      throw new ToolError("INPUT_INVALID", `"${key}" is no key of a session of agent "${id}". Such a key begins with "agent:${id}:".`);
    return sessions.create({
      key,
      agent: id,
      kind: sessionKind(key),
      depth,
      ...(label !== undefined && { label }),
      ...(model !== undefined && { model }),
      ...(starter.spawned !== undefined && parent !== undefined && { parent }),
      state: { server: states.begin(key, starter) },
    });
  }

  /** Of a call that a job makes, its caller tells the session. */
  async function sessionsAbove({ parent, caller }: Pick<RunRequest, "parent" | "caller">): Promise<Pick<Starter, "above">> {
    const name = parent ?? caller.session;
    const session = name === undefined ? undefined : await sessions.get(name);
    const starter = session && states.read(session)?.starter;
    if (session === undefined || (parent === undefined && !isSame(starter?.caller, caller))) return {};
    const { id, agent, model } = session;
    const own = { session: id, agent, ...(model !== undefined && { model }) };
    // An agent with rights of its own has lost nothing of what others above it have.
    const hasOwnRights = starter?.spawned === undefined && find(agent)?.ownRights === true;
    return { above: hasOwnRights ? [own] : [own, ...(starter?.above ?? [])] };
  }

  async function start(agent: RunnableAgent, request: RunRequest, spawned?: Spawned): Promise<SessionRun> {
    const asking = { ...toStarter(request), ...(spawned && { spawned }), ...(await sessionsAbove(request)) };
    const starter = inheritRights(agent, { ...asking, isAsked: isAskedOf(agent.id, asking) }, request.caller, registry);
    const session = await openSession(agent, request, starter);
    const input = { text: request.input, from: request.from };
    const run = await begin({ agent, session, starter, input, ...(request.parent !== undefined && { parent: request.parent }) });
    return onRecord(run, (event) => event.type === "message" && event.message.role === "user" && event.message.content === request.input);
  }

  async function resume(id: string, { caller: asking, from }: Pick<RunRequest, "caller" | "from">): Promise<SessionRun> {
    const session = await sessions.get(id);
    const known = session && states.read(session);
    if (session === undefined || known === undefined) throw new ToolError("BLOCKED", `There is no session "${id}" that runs here.`);
    const agent = find(session.agent);
    if (agent === undefined) throw unknownAgent(session.agent);
    const whyNot = live.has(id) || beginning.has(id) ? "it runs already" : await whyNotResumed(sessions, session);
    if (whyNot !== undefined) throw new ToolError("BLOCKED", `Session "${session.key}" was not resumed: ${whyNot}.`);
    if (from.kind === "person") await attend(session);
    else await requireAttended(session);
    const caller = await presentCaller(known.starter.caller, keys, clock.now());
    if (typeof caller === "string") throw new ToolError("BLOCKED", `Session "${session.key}" was not resumed. ${caller}`);
    const isPerson = known.starter.isPerson && from.kind === "person" && isSame(known.starter.caller, asking);
    const { given, now: starter } = await rightsNow(agent, session, { ...known.starter, caller, isPerson });
    const refusal = await stillAllowed({ agent, starter })();
    if (refusal !== undefined) throw new ToolError("BLOCKED", `Session "${session.key}" was not resumed. ${refusal}`);
    const run = await begin({ agent, session, starter, given });
    return onRecord(run, ({ type }) => type === "start");
  }

  /** Agents that write to each other end here, and both are told. */
  async function requireAttended(session: Session | undefined): Promise<void> {
    const unattended = session === undefined ? 0 : (states.read(session)?.host.unattended ?? 0);
    if (session === undefined || unattended < maxUnattended) return;
    await leaveNotice(
      session,
      `You have run ${unattended} times without a person. What others send you is refused until one says something.`,
    );
    throw new ToolError(
      "BUDGET_EXCEEDED",
      `Session "${session.key}" has run ${unattended} times without a person. It takes no more messages until one says something.`,
    );
  }

  /** Leaves a message that its next run reads, once. */
  async function leaveNotice({ id }: Session, content: string): Promise<void> {
    const lease = await sessions.acquire(id, `${options.ownName()}/a notice`, 5_000);
    if (lease === undefined) return;
    try {
      const { last = 0 } = (await sessions.get(id)) ?? {};
      const [newest] = await sessions.messages(id, { after: Math.max(0, last - 1), limit: 1 });
      const isTold = newest?.message.role === "user" && newest.message.content === content;
      if (!isTold) await sessions.append(id, [{ role: "user", content, from: { kind: "system" } }], { after: last, lease });
    } finally {
      await sessions.release(lease);
    }
  }

  async function wake(id: string): Promise<void> {
    if (!hasBegun || isClosing || live.has(id) || beginning.has(id)) return;
    const session = await sessions.get(id);
    if (session === undefined || !(await isDue(session))) return;
    const agent = find(session.agent);
    const known = states.read(session);
    if (agent === undefined || known === undefined) return;
    if (known.host.unattended >= maxUnattended) {
      if (session.status === "running") await sessions.update(id, { status: "idle" });
      return;
    }
    const caller = await presentCaller(known.starter.caller, keys, clock.now());
    const end = async (reason: string): Promise<void> =>
      void (await sessions.end(id, { text: `${reason} The session was ended.`, status: "failed" }));
    if (typeof caller === "string") return end(caller);
    // What an idle session is woken by may come from anybody: a run that no person began is not the owner's.
    const isPerson = known.starter.isPerson && session.status !== "idle";
    const { given, now: starter } = await rightsNow(agent, session, { ...known.starter, caller, isPerson });
    // Before what it left open is done, not only before its next turn.
    const refusal = await stillAllowed({ agent, starter })();
    if (refusal !== undefined) return end(refusal);
    await begin({ agent, session, starter, given }).catch((error: unknown) => {
      if (!ToolError.is(error)) throw error;
    });
  }

  /** Whether there is something to go on with. */
  async function isDue(session: Session): Promise<boolean> {
    const { status, inbox, state } = session;
    if (status === "running") return isLeft(session);
    if (status === "idle") return inbox > 0;
    if (status === "ended") return false;
    const asked = waitingCalls(state).map(({ callId, digest }) => options.isAsking(questionId(questionOf(callId, digest))));
    return (await Promise.all(asked)).every((isOpen) => !isOpen);
  }

  /** Whether nobody runs it any more, as far as can be told without asking for its lease. */
  function isLeft(session: Session): boolean {
    const last = states.read(session)?.host.open.at(-1);
    const isElsewhere = last !== undefined && last.server !== options.ownName() && !hasEnded(last.server);
    return !isElsewhere || clock.now() - session.updatedAt > leaseMs;
  }

  async function sweep(): Promise<void> {
    if (!hasBegun || isClosing || list().length === 0) return;
    for (const filter of due) for (const { id } of await pages.next(filter)) await wake(id);
    for (const { id } of await pages.next(untold))
      if (!live.has(id)) await spawnedEnds.end(id, { status: "done", code: "answered", reason: "", text: await lastText(sessions, id) });
  }

  const stopListening = [
    sessions.onChange((id) => void wakeForInbox(id).catch(onStoreFailed)),
    feed.of(approvalSchema).subscribe((_id, record) => {
      const session = record?.context["session"];
      if (typeof session === "string" && record?.context["state"] === "decided") void wake(session).catch(onStoreFailed);
    }),
    feed.of(cancelSchema).subscribe((_id, record) => {
      if (record !== undefined) live.get(String(record.context["session"]))?.cancel(String(record.context["reason"]));
    }),
  ];

  /** Most changes are those of a run. */
  async function wakeForInbox(id: string): Promise<void> {
    if (hasBegun && !live.has(id) && !beginning.has(id)) await wake(id);
  }

  return {
    list,
    sessions,
    starterOf,
    start: async (id, request) => start(requireAllowed(id, request.caller), request),
    async spawn(id, request) {
      const agent = find(id);
      if (agent === undefined) throw unknownAgent(id);
      return start(agent, request, request.spawned);
    },
    spawnedOf,
    async canThink(id, model) {
      const agent = find(id);
      if (agent === undefined) return false;
      const { openModel } = await import("./open-model.ts");
      return (await openModel(withModel(agent, model), options.secrets)).canThink === true;
    },
    removedBelow: spawnedEnds.removedBelow,
    lastResult: (id) => results.get(id),
    async create(id, request) {
      const agent = find(id);
      if (agent === undefined) throw unknownAgent(id);
      return openSession(agent, request, toStarter(request));
    },
    async send(id, content, from) {
      const session = await sessions.get(id);
      if (from.kind !== "person") await requireAttended(session);
      else if (session !== undefined && (states.read(session)?.host.unattended ?? 0) > 0) await attend(session);
      await sessions.send(id, { content, from });
    },
    resume,
    running: (id) => live.get(id),
    async settled(id, signal, orWaits) {
      for (;;) {
        const run = live.get(id);
        if (run !== undefined) await untilAborted(ends.get(run) ?? run.result, signal);
        const session = await sessions.get(id);
        if (signal.aborted || session === undefined) return session;
        if (!live.has(id) && !beginning.has(id) && session.status === "waiting" && orWaits !== undefined) return session;
        if (!live.has(id) && session.inbox === 0 && (session.status === "idle" || session.status === "ended")) return session;
        await nextChange(sessions, id, signal);
      }
    },
    async cancel(id, reason = "") {
      const here = live.get(id);
      if (here !== undefined) return here.cancel(reason === "" ? undefined : reason);
      await feed.of(cancelSchema).write({
        id: `session-cancel-${id}`,
        title: "A run is to end",
        context: { session: id, reason: reason === "" ? "The run was cancelled." : reason, at: clock.now() },
        ttl: { afterMs: 60_000 },
        visibility: "private",
      });
    },
    questions: {
      of({ callId, digest, caller, parents = [] }) {
        const run = parents.length > 0 ? undefined : runOf({ callId, caller });
        if (run === undefined) return undefined;
        const wasAsked = waitingCalls(run.taken()?.session.state).some((call) => call.digest === digest && isCall(call.callId, callId));
        return { id: questionOf(callId, digest), session: run.session, wasAsked };
      },
    },
    runOf,
    wake,
    async begin() {
      hasBegun = true;
      for (const session of await sessions.list({ status: "ended", kinds: ["subagent"], limit: 200 })) await spawnedEnds.cleanUp(session);
      await sweep();
    },
    sweep,
    async close(graceMs) {
      isClosing = true;
      for (const stop of stopListening) stop();
      const all = (): Promise<unknown> => Promise.all(ends.values());
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([all(), new Promise((resolve) => (timer = setTimeout(resolve, graceMs)))]);
      clearTimeout(timer);
      for (const run of live.values()) run.cancel("The server shut down.");
      await all();
    },
  };

  /** A caller may state any session; only the loop makes calls with ids of its own. */
  function runOf({ callId, caller }: { readonly callId: string; readonly caller: Caller }): BegunRun | undefined {
    const run = caller.session === undefined ? undefined : live.get(caller.session);
    return run !== undefined && callId.startsWith(`${run.session}.`) ? run : undefined;
  }
}

/** Resolves with the run once an event of it has come, or it has ended; throws if it never got its session. */
async function onRecord(run: BegunRun, isThere: (event: AgentEvent) => boolean): Promise<BegunRun> {
  for await (const event of run.events) {
    if (isThere(event)) break;
    if (event.type === "end" && (event.result.code === "busy" || event.result.code === "session"))
      throw new ToolError("BLOCKED", event.result.reason);
  }
  return run;
}

/** Sessions that may have to go on. */
const due: readonly SessionFilter[] = [{ status: "running" }, { status: "waiting" }, { status: "idle", hasInbox: true }];
/** Those whose server may have ended after their answer, and before their parent was told. */
const untold: SessionFilter = { status: "idle", kinds: ["subagent"] };

function toStarter({ caller, from }: Pick<RunRequest, "caller" | "from">): Starter {
  return { caller: plainCaller(caller), isPerson: from.kind === "person" };
}

/** The tools that a session shares with its agent say nothing about who may use the agent. */
function withoutInherited(caller: Caller): Caller {
  const { inherited: _, ...own } = caller;
  return own;
}

/** Ends of runs that this server remembers. */
const maxResults = 1_000;

const cancelSchema = "toolrack.session-cancel.v1";

function unknownAgent(id: string): ToolError {
  const fact = `No agent "${id.slice(0, 128)}" runs here. Agents that do have instructions in the configuration.`;
  return new ToolError("TOOL_NOT_FOUND", fact);
}
