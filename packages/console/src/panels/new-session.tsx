import { type ReactNode, useState } from "react";
import { ask } from "../api/client.ts";
import type { AgentInfo } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { SayForm } from "../parts/say-form.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";

/** Chooses an agent that runs here, and begins a session with it. */
export function NewSession({ onBegun }: { readonly onBegun: (session: string) => void }): ReactNode {
  const { data, error, refetch } = useApi("/agents");
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the agents" />;
  const agents = data.agents.filter(({ isRunHere }) => isRunHere === true);
  if (agents.length === 0)
    return (
      <Nothing title="No agent runs here">
        An agent runs here when the configuration has instructions and a model for it, under agents. Without the role subscriber, only your
        own is listed.
      </Nothing>
    );
  return <Begin agents={agents} onBegun={onBegun} />;
}

function Begin({ agents, onBegun }: { readonly agents: readonly AgentInfo[]; readonly onBegun: (session: string) => void }): ReactNode {
  const [chosen, setChosen] = useState(agents[0]!.id);
  const agent = agents.find(({ id }) => id === chosen) ?? agents[0]!;
  const begin = useChange((input: string) => ask("POST /agents/{id}/runs", { params: { id: agent.id }, body: { input } }), ["/sessions"]);
  return (
    <section className="talk" aria-label="Talk to an agent">
      <h2>Talk to an agent</h2>
      <label>
        Agent
        <select value={agent.id} onChange={({ target }) => setChosen(target.value)}>
          {agents.map(({ id }) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      {agent.description !== undefined && <p>{agent.description}</p>}
      {agent.model === "scripted" && (
        <p className="reason">
          This agent follows a script and needs no key. It makes the calls that it is told to, one line each, such as:{" "}
          <code>call product_lookup {'{"query": "jacket"}'}</code>
        </p>
      )}
      <SayForm
        label={`Say something to ${agent.id}`}
        isPending={begin.isPending}
        error={begin.error}
        onSay={async (text) => onBegun((await begin.mutateAsync(text)).session)}
      />
    </section>
  );
}
