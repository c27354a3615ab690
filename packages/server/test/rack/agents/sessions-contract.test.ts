import type { Message } from "@toolrack/agent";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { perStore } from "@toolrack/testkit/sized";
import { openTestRack } from "@toolrack/testkit/test-rack";
import type { KnownAgent, KnownAgents } from "@toolrack/tools";
import { type OpenedSessions, sessionsHostContract, type SessionsSettings } from "@toolrack/tools/testing";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { AgentConfig } from "../../../src/config/agents.ts";
import type { AgentManager } from "../../../src/rack/agents/create-agents.ts";
import { packTools } from "../../../src/rack/packs/pack-tools.ts";
import { startChatModel } from "./_chat-model.ts";

let postgres: TestPostgres | undefined;
beforeAll(async () => void (postgres = await startPostgres()));
afterAll(() => postgres?.stop());

/** What the model is told of where a message comes from. */
const provenance = /^\[From [^\n]*\]\n/;

const everybody: KnownAgents = Object.fromEntries(["main", "a", "b", "c", "helper"].map((id) => [id, {}]));

async function open(settings: SessionsSettings, database?: string): Promise<OpenedSessions> {
  const { agents = everybody, reply = (text: string) => text, ...limits } = settings;
  const model = await startChatModel((text, signal) => reply(text.replace(provenance, ""), signal));
  const toAgent = ({ name, model: own = "default", allowAgents }: KnownAgent): AgentConfig => ({
    instructions: "Help.",
    model: model.model(own),
    models: ["large", "tiny"].map((other) => model.model(other)),
    ...(name !== undefined && { name }),
    ...(allowAgents !== undefined && { subagents: allowAgents }),
  });
  const rack = await openTestRack({
    folder: temporaryFolder(),
    environment: database === undefined ? {} : { DATABASE_URL: database },
    config: {
      ...(database === undefined && { store: { sqlite: "rack.db" } }),
      agents: Object.fromEntries(Object.entries(agents).map(([id, agent]) => [id, toAgent(agent)])),
      tools: { packs: { utility: false, sessions: { ...limits } } },
      policy: { subagents: { tools: { alsoAllow: [...packTools.sessions] } } },
    },
  });
  const manager = rack.agents as AgentManager;
  return {
    async create({ agent, key = `agent:${agent}:main`, label, caller = {} }) {
      const facts = { ...caller, agent };
      const made = await manager.create(agent, {
        session: key,
        caller: facts,
        from: { kind: "person" },
        ...(label !== undefined && { label }),
      });
      return { key, id: made.id, caller: { ...facts, session: key } };
    },
    async fill(key, messages) {
      const { id, last } = (await manager.sessions.get(key))!;
      await manager.sessions.append(id, messages as readonly Message[], { after: last });
    },
    call: (tool, input, caller) => rack.registry.invoke(tool, input, { caller }),
    close: async () => undefined,
  };
}

/** Those that depend on what is locked, sorted and filtered by the database. */
const ofTheEngine = /^(sessions_list|sessions_history keeps|sessions_spawn returns|a child that is ended|AH14|AH16|AH12: an agent lists)/;

// row: J6
describe("the tools for sessions, over the sessions of a server on SQLite", () => {
  const checks = sessionsHostContract(open);
  const others = checks.filter(({ name }) => !ofTheEngine.test(name));
  const engine = checks.filter(({ name }) => ofTheEngine.test(name));
  for (const check of [...others, ...perStore(engine, "SQLite")]) it(check.name, check.run);
});

describe("the tools for sessions, over the sessions of a server on PostgreSQL", () => {
  const checks = sessionsHostContract(async (settings) => open(settings, await createDatabase(postgres!)));
  const engine = checks.filter(({ name }) => ofTheEngine.test(name));
  for (const check of perStore(engine, "PostgreSQL")) it(check.name, check.run);
});
