import { type ReactNode, useMemo, useRef, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { ApiError } from "../api/client.ts";
import type { AgentInfo } from "../api/types.ts";
import { useApi } from "../api/use-api.ts";
import { CallTable } from "../parts/call-table.tsx";
import { Decision } from "../parts/decision.tsx";
import { FilterInput } from "../parts/filter-input.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { WhyDialog, type WhyHandle } from "../parts/why-dialog.tsx";
import "./agents.css";

/** Who may use what and why, and what they did. */
export default function Agents(): ReactNode {
  const [place, setPlace] = useSearchParams();
  const { data, error, refetch } = useApi("/agents");
  const chosen = place.get("agent");
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the agents" />;
  if (chosen !== null) {
    const known = data.agents.find(({ id }) => id === chosen);
    return (
      <One key={chosen} id={chosen} agent={known} tab={place.get("tab") ?? "tools"} onTab={(tab) => setPlace({ agent: chosen, tab })} />
    );
  }
  return (
    <div className="overview">
      <h1>Agents</h1>
      {data.agents.length === 0 ? (
        <Nothing title="No agents">List them under agents and policy.agents of the configuration, or create a key for one.</Nothing>
      ) : (
        <Table label="Agents" columns={["Agent", "Description", "Tools", "Keys", "Rules in", "Model"]} hasActions>
          {data.agents.map((agent) => (
            <tr key={agent.id}>
              <th scope="row">
                <Link href={`/agents?agent=${encodeURIComponent(agent.id)}`}>{agent.id}</Link>
              </th>
              <td>{agent.description}</td>
              <td>{agent.tools}</td>
              <td>{agent.keys}</td>
              <td className="small soft">{agent.policy?.origin ?? agent.origin ?? "no rules of its own"}</td>
              <td className="small">{[agent.provider, agent.model].filter((part) => part !== undefined).join(" ")}</td>
              <td>
                <Link className="button" href={`/connect?agent=${encodeURIComponent(agent.id)}`}>
                  Connect<span className="only-read"> {agent.id}</span>
                </Link>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {data.next !== undefined && <p className="soft small">The first {data.agents.length} agents are shown.</p>}
    </div>
  );
}

function One(props: {
  readonly id: string;
  readonly agent: AgentInfo | undefined;
  readonly tab: string;
  readonly onTab: (tab: string) => void;
}): ReactNode {
  const { id, agent, tab, onTab } = props;
  return (
    <>
      <p className="small">
        <Link href="/agents">Agents</Link>
      </p>
      <header className="agent-head">
        <div>
          <h1>{id}</h1>
          {agent?.description !== undefined && <p>{agent.description}</p>}
          <p className="small soft">
            {agent === undefined
              ? "It is not configured, no rule names it, and it has no key."
              : `${agent.tools === 1 ? "One tool" : `${agent.tools} tools`}, ${agent.keys === 1 ? "one key" : `${agent.keys} keys`}, rules in ${agent.policy?.origin ?? "policy.tools"}`}
          </p>
        </div>
        <p className="buttons">
          <Link className="button" href={`/connect?agent=${encodeURIComponent(id)}`}>
            Connect a client
          </Link>
          <Link className="button" href={`/policy?tab=draft&key=${encodeURIComponent(`policy.agents.${id}`)}`}>
            Draft a change
          </Link>
        </p>
      </header>
      <Tabs
        label={`About ${id}`}
        current={tab}
        onChange={onTab}
        tabs={[
          { id: "tools", name: "What it may use", content: () => <AgentTools agent={id} /> },
          { id: "calls", name: "Its calls", content: () => <AgentCalls agent={id} /> },
        ]}
      />
    </>
  );
}

interface ToolRow {
  readonly tool: string;
  /** As in the matrix. */
  readonly letter: string;
  readonly text: string;
}

function AgentTools({ agent }: { readonly agent: string }): ReactNode {
  const [filter, setFilter] = useState("");
  const [showsAll, setShowsAll] = useState(false);
  const why = useRef<WhyHandle>(null);
  const view = useApi("/policy/view", { query: { caller: JSON.stringify({ agent }) } });
  const everything = useApi("/tools", { query: { all: true } });
  // Callers who may not see all tools see their own.
  const isRefused = everything.error instanceof ApiError && everything.error.status === 403;
  const own = useApi("/tools", { enabled: isRefused });
  const tools = (isRefused ? own : everything).data?.tools;
  const rows = useMemo(() => {
    const usable = new Map(view.data?.tools.map(({ name, asks }) => [name, asks ? "?" : "a"]));
    return tools?.map(({ name, description, state }): ToolRow => {
      const letter = usable.get(name) ?? (state === "unavailable" ? "x" : "-");
      return { tool: name, letter, text: description };
    });
  }, [view.data, tools]);
  if (view.error !== null && view.data === undefined) return <Failed error={view.error} onRetry={() => void view.refetch()} />;
  if (rows === undefined || view.data === undefined) return <Loading what="its tools" />;
  const usable = rows.filter(({ letter }) => letter === "a" || letter === "?");
  const shown = (showsAll ? rows : usable).filter(({ tool, text }) => `${tool} ${text}`.toLowerCase().includes(filter.toLowerCase()));
  return (
    <div className="overview">
      <div className="agent-filter">
        <FilterInput label="Filter tools" value={filter} onChange={setFilter} />
        <label className="choice">
          <input type="checkbox" checked={showsAll} onChange={({ target }) => setShowsAll(target.checked)} /> also what it may not use
        </label>
        <span className="small soft" role="status">
          {shown.length} of {rows.length} tools
        </span>
      </div>
      {shown.length === 0 ? (
        <Nothing title={usable.length === 0 ? "No tools" : "No matching tool"}>
          {usable.length === 0 ? "Show what it may not use, and choose a tool to see why." : "Shorten the filter."}
        </Nothing>
      ) : (
        <VirtualList
          items={shown}
          rowHeight={44}
          label={`Tools of ${agent}`}
          keyOf={({ tool }) => tool}
          row={({ tool, letter, text }, isCurrent) => (
            <button
              type="button"
              className="agent-tool plain"
              tabIndex={isCurrent ? 0 : -1}
              onClick={() => why.current?.open({ tool, agent })}
            >
              <span className="agent-tool-name code">{tool}</span>
              <span className="agent-tool-text soft small">{text}</span>
              <Decision letter={letter} />
              <span className="agent-tool-why">Why</span>
            </button>
          )}
        />
      )}
      <WhyDialog ref={why} />
    </div>
  );
}

function AgentCalls({ agent }: { readonly agent: string }): ReactNode {
  const { data, error, refetch } = useApi("/calls", { query: { agent, limit: 100 } });
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="its calls" />;
  if (data.calls.length === 0) return <Nothing title="No calls yet">Calls of this agent appear here when they end.</Nothing>;
  return (
    <>
      <CallTable calls={data.calls} />
      {data.next !== undefined && (
        <p className="small soft">
          For older calls run: <code>toolrack calls --agent {agent}</code>
        </p>
      )}
    </>
  );
}
