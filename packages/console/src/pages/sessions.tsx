import { type ReactNode, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { useApi } from "../api/use-api.ts";
import { NewSession } from "../panels/new-session.tsx";
import { SessionPanel } from "../panels/session.tsx";
import { factsOf } from "../parts/session-facts.ts";
import { SessionTree } from "../parts/session-tree.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import "./sessions.css";

const states = ["all", "running", "waiting", "idle", "ended"] as const;

/** The sessions of agents as a tree, one of them as it goes on, and a new one. */
export default function Sessions(): ReactNode {
  const [place, setPlace] = useSearchParams();
  const chosen = place.get("session") ?? undefined;
  return (
    <div className="sessions">
      <h1>Sessions</h1>
      <div className="sessions-list">
        <List current={chosen} />
      </div>
      <div className="sessions-one">
        {chosen === undefined ? <NewSession onBegun={(session) => setPlace({ session })} /> : <SessionPanel key={chosen} id={chosen} />}
      </div>
    </div>
  );
}

function List({ current }: { readonly current: string | undefined }): ReactNode {
  const [status, setStatus] = useState<(typeof states)[number]>("all");
  const [search, setSearch] = useState("");
  const [offset, setOffset] = useState(0);
  const query = { limit: 50, offset, ...(status !== "all" && { status }), ...(search.trim() !== "" && { search: search.trim() }) };
  const { data, error, refetch } = useApi("/sessions", { query, refetchInterval: 3_000 });
  return (
    <>
      <p className="buttons">
        {current !== undefined && (
          <Link className="button" href="/sessions">
            New session
          </Link>
        )}
        <select
          aria-label="State of the sessions"
          value={status}
          onChange={({ target }) => {
            setStatus(target.value as typeof status);
            setOffset(0);
          }}
        >
          {states.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </p>
      <input
        type="search"
        aria-label="Search sessions"
        placeholder="Search by name"
        maxLength={200}
        value={search}
        onChange={({ target }) => {
          setSearch(target.value);
          setOffset(0);
        }}
      />
      {error !== null && data === undefined && <Failed error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading what="the sessions" />}
      {data?.sessions.length === 0 && <Nothing title="No sessions">A session begins when somebody talks to an agent.</Nothing>}
      {data !== undefined && data.sessions.length > 0 && <SessionTree sessions={data.sessions.map(factsOf)} current={current} />}
      <p className="small">
        <a href="/canvases">Pages that agents show</a>
      </p>
      {(offset > 0 || data?.next !== undefined) && (
        <p className="buttons">
          <button type="button" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - 50))}>
            Newer
          </button>
          <button type="button" disabled={data?.next === undefined} onClick={() => setOffset(data?.next ?? offset)}>
            Older
          </button>
        </p>
      )}
    </>
  );
}
