import type { JsonSchema } from "@toolrack/json-schema";

/** An agent: facts about it, and, with instructions, an agent that this server runs. */
export interface AgentConfig {
  /** What people call it. @default its id */
  readonly name?: string;
  readonly description?: string;
  /** Facts for the policy. A server that runs the agent takes both from its model. */
  readonly provider?: string;
  /** With instructions: the model that it runs on. A name alone is a fact for the policy. */
  readonly model?: string | AgentModelConfig;
  /** Further models, by the names of which its sessions may be switched to them. @default none */
  readonly models?: readonly AgentModelConfig[];
  /** What it is told before every conversation. With them, this server runs the agent. */
  readonly instructions?: string;
  /** Which tools it has, as entries of a policy. @default what the policy says */
  readonly tools?: AgentToolsConfig;
  /** As a tool: "result" answers with what it found, "job" at once with a job that is asked for later. @default "result" */
  readonly answer?: AgentAnswer;
  /** As a tool: whether it keeps tools that its caller lacks. @default false */
  readonly ownRights?: boolean;
  /** The agents whose sessions its own may spawn, beside those of itself; "*" for every one that runs here. @default none */
  readonly subagents?: readonly string[];
  /** What ends one run, with the agents that it calls. */
  readonly budget?: AgentBudgetConfig;
  /** When a run is done. @default when the model answers without a call */
  readonly until?: AgentUntilConfig;
}

export const agentAnswers = ["result", "job"] as const;
export type AgentAnswer = (typeof agentAnswers)[number];

/** The model that says what there is to show and thinks nothing: it needs no key. */
export const scriptedModelName = "scripted";

export const modelVendors = ["anthropic", "openai", "openai-chat", "gemini", "ollama"] as const;
export type ModelVendor = (typeof modelVendors)[number];

export interface AgentModelConfig {
  /** "openai-chat" is Chat Completions, which many other servers speak, too. */
  readonly vendor: ModelVendor;
  /** As the vendor names it. */
  readonly name: string;
  /** @default the vendor's own */
  readonly baseUrl?: string;
  /** The name of the secret that holds its key. @default no key is sent */
  readonly secret?: string;
  /** How many tokens a conversation may have; near them it is shortened. @default it is never shortened */
  readonly contextTokens?: number;
}

export interface AgentToolsConfig {
  readonly allow?: readonly string[];
  readonly alsoAllow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
}

export interface AgentBudgetConfig {
  /** Replies of the model. @default 30 */
  readonly turns?: number;
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly ms?: number;
  readonly calls?: number;
  /** Failed calls one after the other. @default 8 */
  readonly failuresInARow?: number;
}

export interface AgentUntilConfig {
  /** Tools that must have been called with success. */
  readonly requiredTools?: readonly string[];
  /** What tools must have produced: names of their `produces`. */
  readonly artifacts?: readonly string[];
  /** Whether the agent has to call the tool `finish`. @default false */
  readonly signal?: boolean;
}

/** An agent that this server runs. */
export interface RunnableAgent extends AgentConfig {
  readonly id: string;
  readonly instructions: string;
  readonly model: AgentModelConfig | typeof scriptedModelName;
}

/** The agents of a configuration that this server runs, in its order. */
export function runnableAgents(agents: Readonly<Record<string, AgentConfig>> = {}): readonly RunnableAgent[] {
  return Object.entries(agents).flatMap(([id, agent]) => (agent.instructions === undefined ? [] : [{ id, ...agent } as RunnableAgent]));
}

/** What makes it run here, which is not a fact about it. */
export function workOf(agent: AgentConfig): AgentConfig {
  const { instructions, tools, subagents, budget, until, model, models, answer, ownRights } = agent;
  if (instructions === undefined) return {};
  return {
    instructions,
    ...(model !== undefined && { model }),
    ...(models !== undefined && { models }),
    ...(answer !== undefined && { answer }),
    ...(ownRights !== undefined && { ownRights }),
    ...(tools !== undefined && { tools }),
    ...(subagents !== undefined && { subagents }),
    ...(budget !== undefined && { budget }),
    ...(until !== undefined && { until }),
  };
}

/** The names of the models that its sessions may have, its own first. */
export function modelNames(agent: RunnableAgent): readonly string[] {
  return modelsOf(agent).map((model) => (typeof model === "string" ? model : model.name));
}

/** The agent with the model of this name; with its own where it has none of this name. */
export function withModel(agent: RunnableAgent, name: string | undefined): RunnableAgent {
  const model = modelsOf(agent).find((one) => (typeof one === "string" ? one : one.name) === name);
  return model === undefined ? agent : { ...agent, model };
}

function modelsOf({ model, models = [] }: RunnableAgent): readonly RunnableAgent["model"][] {
  return [model, ...models];
}

/** Provider and model of an agent, as a policy sees them. */
export function agentFacts({ provider, model }: AgentConfig): { readonly provider?: string; readonly model?: string } {
  if (typeof model === "object") return { provider: provider ?? vendorsAsProviders[model.vendor], model: model.name };
  return { ...(provider !== undefined && { provider }), ...(model !== undefined && { model }) };
}

const vendorsAsProviders: Readonly<Record<ModelVendor, string>> = {
  anthropic: "anthropic",
  openai: "openai",
  "openai-chat": "openai",
  gemini: "gemini",
  ollama: "ollama",
};

/** What is wrong with an agent, beyond its schema. */
export function findAgentFault(id: string, agent: AgentConfig): { readonly at: readonly string[]; readonly fact: string } | undefined {
  const { instructions, model } = agent;
  const part = `agents.${id}`;
  if (instructions === undefined) {
    const [needless] = [...(typeof model === "object" ? ["model"] : []), ...runParts.filter((name) => agent[name] !== undefined)];
    if (needless === undefined) return undefined;
    return { at: [needless], fact: `${part}.${needless} is for an agent that this server runs. Add ${part}.instructions, or remove it.` };
  }
  if (!toolName.test(id))
    return {
      at: [],
      fact: `${part} is served as a tool, so its name needs a letter first, then letters, digits, "_" or "-", 64 at most. Choose another name.`,
    };
  if (model === undefined || (typeof model === "string" && model !== scriptedModelName))
    return {
      at: model === undefined ? [] : ["model"],
      fact: `${part} has instructions, so this server runs it and needs its model: { vendor: ${modelVendors.join(" | ")}, name }, or "scripted" for one that needs no key.`,
    };
  const names = modelNames({ ...agent, id, instructions, model });
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice > 0)
    return {
      at: ["models", String(twice - 1), "name"],
      fact: `${part} has two models of the name "${names[twice]}", so that nobody can say which is meant. Remove one.`,
    };
  return undefined;
}

const runParts = ["models", "tools", "answer", "ownRights", "subagents", "budget", "until"] as const;
const toolName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

const text = { type: "string", minLength: 1 } as const;
const texts = { type: "array", items: text } as const;
const count = { type: "integer", minimum: 1 } as const;
const closed = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...(required.length > 0 && { required }),
});

const modelObject: JsonSchema = closed(
  {
    vendor: { enum: modelVendors, description: "openai-chat is Chat Completions, which many other servers speak, too." },
    name: text,
    baseUrl: { ...text, pattern: "^https?://[^@?#]+$", description: "Where its API is; without a key in it." },
    secret: { ...text, description: "The name of the secret that holds its key." },
    contextTokens: { ...count, description: "How many tokens a conversation may have; near them it is shortened." },
  },
  ["vendor", "name"],
);

const modelSchema: JsonSchema = { ...modelObject, minLength: 1, type: ["object", "string"] };

export const agentSchema: JsonSchema = closed({
  name: { ...text, maxLength: 128, description: "What people call it." },
  description: { type: "string" },
  provider: text,
  model: modelSchema,
  models: {
    type: "array",
    items: modelObject,
    maxItems: 20,
    description: "Further models, by the names of which its sessions may be switched to them.",
  },
  instructions: { ...text, maxLength: 100_000, description: "With them, this server runs the agent." },
  tools: closed({ allow: texts, alsoAllow: texts, deny: texts, ask: texts }),
  answer: { enum: agentAnswers, description: "As a tool: result answers with what it found, job at once with a job." },
  ownRights: { type: "boolean", description: "As a tool, it keeps tools that its caller lacks." },
  subagents: { ...texts, description: "Agents whose sessions it may spawn, beside its own; * for every one." },
  budget: closed({
    turns: count,
    tokens: count,
    costUsd: { type: "number", exclusiveMinimum: 0 },
    ms: count,
    calls: count,
    failuresInARow: count,
  }),
  until: closed({ requiredTools: texts, artifacts: texts, signal: { type: "boolean" } }),
});
