/** What the keys under `agents` mean. */
export const agentSettings = {
  "agents.<id>.name": "What people call the agent; `agents_list` shows it. Default: none.",
  "agents.<id>.description": "For people.",
  "agents.<id>.provider": "The model provider of the agent: selects rules under `byProvider`.",
  "agents.<id>.model":
    "A name: the model of the agent, which selects rules under `byProvider`. With `instructions`: the model that it runs on, as below, or `scripted`, which needs no key and only shows how runs work.",
  "agents.<id>.model.vendor": "Whose API: `openai-chat` is Chat Completions, which many other servers speak.",
  "agents.<id>.model.name": "As the vendor names it.",
  "agents.<id>.model.baseUrl": "Where the API is. Default: the vendor's own address.",
  "agents.<id>.model.secret": "The name of the secret that holds the key. Default: no key is sent.",
  "agents.<id>.model.contextTokens": "How many tokens a conversation may have; near them it is shortened. Default: it is never shortened.",
  "agents.<id>.models": "Further models, each as under `model`: a session may be switched to one by its name. Default: none.",
  "agents.<id>.models[].vendor": "As `model.vendor`.",
  "agents.<id>.models[].name": "As `model.name`; the names of an agent's models differ.",
  "agents.<id>.models[].baseUrl": "As `model.baseUrl`.",
  "agents.<id>.models[].secret": "As `model.secret`.",
  "agents.<id>.models[].contextTokens": "As `model.contextTokens`.",
  "agents.<id>.instructions":
    "What the agent is told before every conversation. With them, this server [runs the agent](../guides/agents-on-a-server.md).",
  "agents.<id>.tools.allow": "The tools that the agent has, as entries of a policy. Default: what the policy allows it.",
  "agents.<id>.tools.alsoAllow": "Tools that it may use beside those of its profile, as in a [policy](../guides/policy.md).",
  "agents.<id>.tools.deny": "Tools that it does not have.",
  "agents.<id>.tools.ask": "Tools whose calls a person has to approve.",
  "agents.<id>.answer":
    "As a tool: `result` answers with what the agent found; `job` answers at once with a job, whose result is asked for with `GET /jobs/{id}` or the tool `job`. Default: `result`.",
  "agents.<id>.ownRights":
    "Whether the agent keeps tools that whoever gave it its task lacks. Default: false: it has what both of them have.",
  "agents.<id>.subagents": "The agents whose sessions those of the agent may spawn, beside its own; `*` for every one. Default: none.",
  "agents.<id>.budget.turns": "How many replies of the model end a run. Default: 30.",
  "agents.<id>.budget.tokens": "How many tokens end a run, with those of the agents that it calls.",
  "agents.<id>.budget.costUsd": "How many US dollars end a run, where prices are known.",
  "agents.<id>.budget.ms": "How many milliseconds end a run.",
  "agents.<id>.budget.calls": "How many calls of tools end a run.",
  "agents.<id>.budget.failuresInARow": "How many failed calls one after the other end a run. Default: 8.",
  "agents.<id>.until.requiredTools": "Tools that must have been called with success before a run is done.",
  "agents.<id>.until.artifacts": "What tools must have produced: names of their `produces`.",
  "agents.<id>.until.signal": "Whether the agent has to call the tool `finish`. Default: false.",
  "tools.packs.sessions":
    "Lets agents see their [sessions](../guides/sessions.md) and spawn others; on unless it is false. Without an agent that runs here, `session_status` alone is offered.",
  "tools.packs.sessions.sight":
    "What a session sees of others: `self` nothing, `tree` what it spawned, `agent` all sessions of its agent, whoever began them, `all` those of other agents, too. Default: `tree`.",
  "tools.packs.sessions.agentToAgent":
    "With `sight: all`: the agents that may use each other's sessions; `*` for every one. Default: none.",
  "tools.packs.sessions.maxSpawnDepth": "From this depth on a session cannot spawn others. Default: 1: what was spawned does not spawn.",
  "tools.packs.sessions.maxChildren": "How many running children one session has at most. Default: 5.",
  "tools.packs.sessions.maxRunning": "How many spawned sessions run at most, of all sessions together. Default: 50.",
};
