import type { ApiKey, Rack } from "../rack/rack.ts";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { Problem } from "../http/reply/problem.ts";
import { listOf, nothing, objectOf, ok } from "./_answers.ts";
import { nextOffset, pageOf, type PageQuery, pageQuery } from "./_pages.ts";
import { type AgentConfig, workOf } from "../config/agents.ts";
import { withAgentFacts } from "../rack/access/agent-facts.ts";
import { seesOthers } from "./shared/callers.ts";

const text = { type: "string" } as const;
const byId = {
  type: "object",
  properties: { id: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$" } },
  required: ["id"],
  additionalProperties: false,
} as const;
const anyObject = { type: "object", additionalProperties: true } as const;

/** The known facts about an agent. */
export interface AgentInfo {
  readonly id: string;
  readonly description?: string;
  readonly provider?: string;
  readonly model?: string;
  /** Where it is configured; absent if only a key or the policy names it. */
  readonly origin?: string;
  /** This server runs it: POST /agents/{id}/runs. */
  readonly isRunHere?: true;
  /** Its part of the policy, and where that is. */
  readonly policy?: { readonly value: unknown; readonly origin: string };
  /** How many tools it may use. */
  readonly tools: number;
  readonly keys: number;
}

export interface AgentList {
  readonly agents: readonly AgentInfo[];
  readonly next?: number;
}

export interface AgentAnswers {
  "GET /agents": AgentList;
  "PUT /agents/{id}": AgentInfo;
  "DELETE /agents/{id}": undefined;
}

const agentSchema = objectOf<AgentInfo>(
  {
    id: text,
    description: text,
    provider: text,
    model: text,
    origin: text,
    isRunHere: { const: true, description: "This server runs it: POST /agents/{id}/runs." },
    policy: objectOf({ value: anyObject, origin: text }),
    tools: { type: "integer" },
    keys: { type: "integer" },
  },
  ["description", "provider", "model", "origin", "isRunHere", "policy"],
);

const list = defineRoute({
  method: "GET",
  path: "/agents",
  id: "listAgents",
  group: "agents",
  summary: "List the agents that are configured, named by the policy, or hold a key.",
  isHeavy: true,
  query: { type: "object", properties: pageQuery, additionalProperties: false },
  answers: ok(
    "The agents; a caller without a role gets itself alone.",
    objectOf<AgentList>({ agents: listOf(agentSchema), next: nextOffset }, ["next"]),
  ),
  async run({ rack, identity, query }) {
    // The policy may name tools that are hidden from the caller.
    if (!seesOthers(identity)) return { body: { agents: (await allAgents(rack, identity.agent)).map(withoutPolicy) } };
    const { items: agents, ...rest } = pageOf(await allAgents(rack), query as PageQuery);
    return { body: { agents, ...rest } };
  },
});

const put = defineRoute({
  method: "PUT",
  path: "/agents/{id}",
  id: "putAgent",
  group: "agents",
  summary: "Create or update an agent: its description and its tools.",
  needs: ["admin"],
  params: byId,
  body: {
    type: "object",
    properties: {
      description: text,
      provider: { type: "string", minLength: 1 },
      model: { type: "string", minLength: 1 },
      policy: { ...anyObject, description: "As under policy.agents of the configuration; without it, the policy is unchanged." },
    },
    additionalProperties: false,
  },
  answers: ok("The current state of the agent.", agentSchema),
  async run({ rack, identity, params, body }) {
    const { policy, ...facts } = body;
    // An agent that runs here goes on doing so: its instructions and its model are settings of their own.
    const before = (rack.settings.get(`agents.${params.id}`)?.value ?? {}) as AgentConfig;
    const work = { ...(before.name !== undefined && { name: before.name }), ...workOf(before) };
    await rack.settings.setAll(
      { [`agents.${params.id}`]: { ...facts, ...work }, ...(policy !== undefined && { [`policy.agents.${params.id}`]: policy }) },
      identity,
    );
    return { body: (await allAgents(rack, params.id))[0] };
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/agents/{id}",
  id: "removeAgent",
  group: "agents",
  summary: "Remove an agent and its part of the policy. Its keys are revoked.",
  needs: ["admin"],
  params: byId,
  answers: nothing,
  async run({ rack, identity, params }) {
    const { settings, keys } = rack;
    const own = (await keys.list()).filter(({ agent }) => agent === params.id);
    const known = [`agents.${params.id}`, `policy.agents.${params.id}`].filter((key) => settings.get(key) !== undefined);
    if (known.length + own.length === 0) throw new Problem(404, "NOT_FOUND", `There is no agent "${params.id}".`);
    // The keys first: an agent without rules of its own may do more than before.
    for (const { id } of own) await keys.revoke(id, identity);
    if (known.length > 0) await settings.setAll(Object.fromEntries(known.map((key) => [key, null])), identity);
    return { status: 204 };
  },
});

export const agentRoutes: RoutesOf<AgentAnswers> = [list, put, remove];

/** All of them, or the one that is asked for. */
async function allAgents(rack: Rack, only?: string): Promise<readonly AgentInfo[]> {
  const { settings, keys, registry } = rack;
  const held = new Map<string, ApiKey[]>();
  for (const key of await keys.list()) {
    const own = held.get(key.agent);
    if (own === undefined) held.set(key.agent, [key]);
    else own.push(key);
  }
  const configured = new Map(settings.agents().map((agent) => [agent.id, agent]));
  const ids = new Set([...configured.keys(), ...Object.keys(settings.policy.agents ?? {}), ...held.keys()]);
  const wanted = only === undefined ? [...ids] : [only].filter((id) => ids.has(id));
  return wanted.map((id) => {
    const { origin, description, provider, model, isRunHere } = configured.get(id) ?? {};
    const policy = settings.get(`policy.agents.${id}`);
    return {
      id,
      ...(description !== undefined && { description }),
      ...(provider !== undefined && { provider }),
      ...(model !== undefined && { model }),
      ...(origin !== undefined && { origin }),
      ...(isRunHere && { isRunHere }),
      ...(policy !== undefined && { policy: { value: policy.value, origin: policy.origin } }),
      tools: registry.view(withAgentFacts(rack, { agent: id })).tools.length,
      keys: held.get(id)?.length ?? 0,
    };
  });
}

function withoutPolicy(agent: AgentInfo): AgentInfo {
  const { policy: _, ...rest } = agent;
  return rest;
}
