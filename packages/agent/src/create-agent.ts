import { createRegistry, type Registry, ToolError } from "@toolrack/core";
import { sessionKind } from "@toolrack/core/internal";
import { systemClock } from "@toolrack/core/node";
import type { Agent, AgentInput, AgentOptions, ResumeOptions, RunOptions } from "./agent.ts";
import { checkAgent, checkResume, checkRun } from "./check-agent.ts";
import { codeOf } from "./errors.ts";
import { createMemorySessions } from "./memory-sessions.ts";
import type { MessageOrigin, UserMessage } from "./message.ts";
import { type AgentRun, createAgentRun } from "./running/agent-run.ts";
import { activeRunOf } from "./running/active-runs.ts";
import type { NewSession, Session, SessionStore } from "./sessions.ts";
import { cancelled, type ReadyAgent, type RunRequest, startRun, stopWith } from "./start-run.ts";
import { keyOf } from "./transcript/key.ts";
import { createOffer } from "./turn/offer-tools.ts";

/** Makes an agent. A wrong option throws a ToolError that names it. */
export function createAgent(options: AgentOptions): Agent {
  checkAgent(options);
  const { name, model, maxToolTokens: maxTokens, searchAbove, clock = systemClock } = options;
  const registry = isRegistry(options.registry) ? options.registry : registryOf(options.registry);
  const sessions = options.sessions ?? createMemorySessions({ clock });
  const offerTools = createOffer({ registry, target: model.target, maxTokens, searchAbove });
  const agent: ReadyAgent = { ...options, registry, sessions, clock, offerTools };

  return {
    name,
    description: options.description,
    sessions,
    run(input, given = {}) {
      checkRun(given);
      const message = readInput(input, given.from);
      return begin(agent, given, message, () => openOrCreate(agent, given));
    },
    resume(session, given = {}) {
      checkResume(given);
      return begin(agent, given, undefined, async () => {
        const found = await find(agent, session);
        return found === undefined
          ? `There is no session "${session}". List the sessions to see which there are.`
          : checkSession(agent, found);
      });
    },
  };
}

function begin(
  agent: ReadyAgent,
  options: ResumeOptions & RunOptions,
  input: UserMessage | undefined,
  open: RunRequest["openSession"],
): AgentRun {
  const stopping = new AbortController();
  const leave = stopWith(options.signal, stopping);
  const opened = open();
  const { budget, approvals, parent } = options;
  return createAgentRun(
    (emit) => startRun(agent, { input, budget, approvals, parent, emit, stopping, openSession: () => opened }).finally(leave),
    {
      async steer(text) {
        const session = await opened.catch(() => "");
        if (typeof session === "string") return false;
        const from = options.from ?? person;
        return agent.sessions
          .send(session.id, { content: text, from })
          .then(() => true)
          .catch(() => false);
      },
      cancel: (reason) => stopping.abort(cancelled(reason)),
    },
  );
}

const person: MessageOrigin = { kind: "person" };

/** Only what is said is read: where it comes from is told by whoever runs the agent. */
function readInput(input: AgentInput, from: MessageOrigin = person): UserMessage {
  if (typeof input === "string") return { role: "user", content: input, from };
  if (typeof input?.content !== "string") {
    throw new ToolError("CONFIG_INVALID", 'run: the input must be a text, or { content: "…", blocks }.');
  }
  return { role: "user", content: input.content, ...(input.blocks !== undefined && { blocks: input.blocks }), from };
}

async function openOrCreate(agent: ReadyAgent, { session, label, parent }: RunOptions): Promise<Session | string> {
  const found = session === undefined ? undefined : await find(agent, session);
  if (found !== undefined) return checkSession(agent, found);
  const key = keyOf(agent.name, session ?? `run:${globalThis.crypto.randomUUID()}`);
  if (!key.startsWith(`agent:${agent.name}:`))
    return `"${key}" is no key of a session of agent "${agent.name}". Such a key begins with "agent:${agent.name}:".`;
  const depth = parent === undefined ? 0 : (activeRunOf(parent)?.depth ?? (await agent.sessions.get(parent))?.depth ?? 0) + 1;
  const made: NewSession = {
    key,
    agent: agent.name,
    kind: sessionKind(key),
    depth,
    model: agent.model.name,
    ...(label !== undefined && { label }),
    ...(parent !== undefined && { parent }),
  };
  return checkSession(agent, await createOrGet(agent.sessions, made));
}

/** Another may have made it since we looked. */
async function createOrGet(sessions: SessionStore, made: NewSession): Promise<Session> {
  try {
    return await sessions.create(made);
  } catch (error) {
    const other = codeOf(error) === "SESSION_EXISTS" ? await sessions.get(made.key) : undefined;
    if (other === undefined) throw error;
    return other;
  }
}

async function find({ sessions, name }: ReadyAgent, session: string): Promise<Session | undefined> {
  return (await sessions.get(session)) ?? (await sessions.get(keyOf(name, session)));
}

function checkSession({ name }: ReadyAgent, session: Session): Session | string {
  if (session.agent !== name) return `Session "${session.key}" belongs to agent "${session.agent}", not to "${name}".`;
  return session.status === "ended" ? `Session "${session.key}" has ended. Begin another one.` : session;
}

function isRegistry(value: AgentOptions["registry"]): value is Registry {
  return !Array.isArray(value);
}

function registryOf(tools: Exclude<AgentOptions["registry"], Registry>): Registry {
  const registry = createRegistry();
  for (const tool of tools) registry.register(tool);
  return registry;
}
