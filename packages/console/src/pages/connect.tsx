import { shellWord } from "@toolrack/core/internal/shell-word";
import { type ClientConnection, clientEntry, type ClientName, clientNames, isClientName } from "@toolrack/server/client-entries";
import { type ReactNode, useId } from "react";
import { Link, useSearchParams } from "wouter";
import { ask } from "../api/client.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { AgentDocument } from "../panels/agent-document.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Failed } from "../parts/states.tsx";
import "./connect.css";

type Transport = ClientConnection["kind"];

/** What to write into the file of an MCP client, with a key that is made on the spot. */
export default function Connect(): ReactNode {
  const [place, setPlace] = useSearchParams();
  const wanted = place.get("agent") ?? "";
  const { data, error, refetch } = useApi("/agents");
  const agents = data?.agents.filter(({ id }) => id !== "anonymous");
  // A link can say anything: only a known agent gets into an entry or a command.
  const agent = agents?.find(({ id }) => id === wanted);
  const chosen = place.get("client") ?? "";
  const client = isClientName(chosen) ? chosen : "claude-desktop";
  const transport: Transport = place.get("transport") === "http" ? "http" : "stdio";
  const set = (name: string, value: string): void =>
    setPlace((before) => new URLSearchParams({ ...Object.fromEntries(before), [name]: value }));
  return (
    <div className="overview connect">
      <h1>Connect</h1>
      <p>Give an MCP client the tools of one agent: choose both, and add the entry to the file of the client.</p>
      <form className="connect-choices" onSubmit={(event) => event.preventDefault()}>
        {error !== null && data === undefined ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <AgentField wanted={wanted} agent={agent} agents={agents} onChange={(next) => set("agent", next)} />
        )}
        <label>
          Client
          <select value={client} onChange={({ target }) => set("client", target.value)}>
            {clientNames.map((name) => (
              <option key={name} value={name}>
                {clientEntry(name, { kind: "http", url: "" }).title}
              </option>
            ))}
          </select>
        </label>
        <fieldset>
          <legend>How the client reaches this server</legend>
          <label className="choice">
            <input type="radio" name="transport" checked={transport === "stdio"} onChange={() => set("transport", "stdio")} /> by a program
            (stdio)
          </label>
          <label className="choice">
            <input type="radio" name="transport" checked={transport === "http"} onChange={() => set("transport", "http")} /> by its address
            (HTTP)
          </label>
        </fieldset>
      </form>
      {agent === undefined ? (
        <p className="reason">Choose the agent that the client will be: it gets exactly the tools of this agent.</p>
      ) : (
        // Another agent is another key.
        <Entry key={agent.id} agent={agent.id} client={client} transport={transport} />
      )}
      {agent !== undefined && <AgentDocument agent={agent.id} tools={agent.tools} />}
    </div>
  );
}

interface AgentChoice {
  readonly id: string;
  readonly tools: number;
}

function AgentField({
  wanted,
  agent,
  agents,
  onChange,
}: {
  /** As the address names it. */
  readonly wanted: string;
  readonly agent: AgentChoice | undefined;
  /** Undefined until they are known. */
  readonly agents: readonly AgentChoice[] | undefined;
  readonly onChange: (agent: string) => void;
}): ReactNode {
  const id = useId();
  return (
    <div className="connect-agent">
      <label htmlFor={id}>Agent</label>
      <select id={id} value={agent?.id ?? ""} onChange={({ target }) => onChange(target.value)}>
        <option value="">Choose one</option>
        {agents?.map((one) => (
          <option key={one.id} value={one.id}>
            {one.id}
          </option>
        ))}
      </select>
      <p className="small soft">
        {agent !== undefined && (
          <>
            It may use {agent.tools === 1 ? "one tool" : `${agent.tools} tools`}.{" "}
            <Link href={`/agents?agent=${encodeURIComponent(agent.id)}`}>See which, and why</Link>
          </>
        )}
        {agents !== undefined && agent === undefined && wanted !== "" && `There is no agent "${wanted}".`}
        {agents?.length === 0 && "Add one under policy.agents of the configuration."}
      </p>
    </div>
  );
}

/** The entry for one agent. The key is kept only while this page is shown. */
function Entry({
  agent,
  client,
  transport,
}: {
  readonly agent: string;
  readonly client: ClientName;
  readonly transport: Transport;
}): ReactNode {
  const create = useChange(
    () => ask("POST /keys", { body: { agent, roles: [], description: `MCP client, made in the console` } }),
    ["/keys", "/agents"],
  );
  const key = create.data?.secret;
  const entry = clientEntry(client, toConnection(transport, agent, key));
  const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  const needsKey = transport === "http" || !isHere;
  return (
    <>
      {needsKey && (
        <section aria-label="Key">
          <h2>1. Create a key</h2>
          {key === undefined ? (
            <p className="buttons">
              <button type="button" className="primary" disabled={create.isPending} onClick={() => create.mutate(undefined)}>
                Create a key for {agent}
              </button>
              <span className="small soft">It can be revoked at any time on the page System.</span>
            </p>
          ) : (
            <>
              <p role="status">It is in the entry below. Copy it now: it is not shown again.</p>
              <p className="connect-key">
                <code>{key}</code>
                <CopyButton text={key} what="the key" />
              </p>
            </>
          )}
          {create.error !== null && <Failed error={create.error} />}
        </section>
      )}
      <section aria-label="Entry">
        <h2>
          {needsKey ? "2. " : ""}Add this to {entry.title}
        </h2>
        <dl className="facts">
          <div className="fact">
            <dt>Linux</dt>
            <dd>
              <code>{entry.files.linux}</code>
            </dd>
          </div>
          <div className="fact">
            <dt>macOS</dt>
            <dd>
              <code>{entry.files.macos}</code>
            </dd>
          </div>
          <div className="fact">
            <dt>Windows</dt>
            <dd>
              <code>{entry.files.windows}</code>
            </dd>
          </div>
          {entry.projectFile !== undefined && (
            <div className="fact">
              <dt>One project</dt>
              <dd>
                <code>{entry.projectFile}</code>
              </dd>
            </div>
          )}
        </dl>
        <pre tabIndex={0} aria-label={`The entry of ${entry.title}`}>
          {entry.text}
        </pre>
        <CopyButton text={entry.text} what="the entry" />
        <p className="small soft">
          If the file exists, add the entry “{entry.path[1]}” under {entry.path[0]}, and keep the others.
        </p>
        {entry.note !== undefined && <p className="reason">{entry.note}</p>}
        {transport === "stdio" && (
          <p className="small soft">
            The client starts the program <code>toolrack</code>, which is installed with: <code>npm install --global toolrack</code>
          </p>
        )}
      </section>
      <section aria-label="Command">
        <h2>Or let the command do it</h2>
        <pre tabIndex={0}>{commandFor(client, agent, transport)}</pre>
        <CopyButton text={commandFor(client, agent, transport)} what="the command" />
        <p className="small soft">It shows the entry, keeps what else is in the file, and makes a backup.</p>
      </section>
    </>
  );
}

/** Until there is a key, its place is marked. */
function toConnection(transport: Transport, agent: string, key: string | undefined): ClientConnection {
  const { origin } = location;
  if (transport === "http") return { kind: "http", url: `${origin}/mcp`, key: key ?? "<key>" };
  const args = ["--url", origin, "mcp", "--agent", agent];
  return { kind: "stdio", command: "toolrack", args, ...(key !== undefined && { env: { TOOLRACK_KEY: key } }) };
}

function commandFor(client: ClientName, agent: string, transport: Transport): string {
  return `toolrack --url ${shellWord(location.origin)} connect ${client} --agent ${shellWord(agent)}${transport === "http" ? " --http" : ""}`;
}
