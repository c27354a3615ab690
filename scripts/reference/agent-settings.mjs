/** What the keys under `agents` mean. */
export const agentSettings = {
  "agents.<id>.description": "For people.",
  "agents.<id>.provider": "The model provider of the agent: selects rules under `byProvider`.",
  "agents.<id>.model":
    "A name: the model of the agent, which selects rules under `byProvider`. With `instructions`: the model that it runs on, as below, or `scripted`, which needs no key and only shows how runs work.",
  "agents.<id>.model.vendor": "Whose API: `openai-chat` is Chat Completions, which many other servers speak.",
  "agents.<id>.model.name": "As the vendor names it.",
  "agents.<id>.model.baseUrl": "Where the API is. Default: the vendor's own address.",
  "agents.<id>.model.secret": "The name of the secret that holds the key. Default: no key is sent.",
  "agents.<id>.model.contextTokens": "How many tokens a conversation may have; near them it is shortened. Default: it is never shortened.",
  "agents.<id>.subagents":
    "The agents whose sessions its own may spawn, beside those of itself; `*` for every one that runs here. Default: none.",
  "agents.<id>.instructions":
    "What the agent is told before every conversation. With them, this server [runs the agent](../guides/agents-on-a-server.md).",
  "agents.<id>.tools.allow": "The tools that the agent has, as entries of a policy. Default: what the policy allows it.",
  "agents.<id>.tools.deny": "Tools that it does not have.",
  "agents.<id>.budget.turns": "How many replies of the model end a run. Default: 30.",
  "agents.<id>.budget.tokens": "How many tokens end a run, with those of the agents that it calls.",
  "agents.<id>.budget.costUsd": "How many US dollars end a run, where prices are known.",
  "agents.<id>.budget.ms": "How many milliseconds end a run.",
  "agents.<id>.budget.calls": "How many calls of tools end a run.",
  "agents.<id>.budget.failuresInARow": "How many failed calls one after the other end a run. Default: 8.",
  "agents.<id>.until.requiredTools": "Tools that must have been called with success before a run is done.",
  "agents.<id>.until.artifacts": "What tools must have produced: names of their `produces`.",
  "agents.<id>.until.signal": "Whether the agent has to call the tool `finish`. Default: false.",
};
