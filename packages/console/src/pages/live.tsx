import { type ReactNode, useCallback, useMemo, useState } from "react";
import { useSearchParams } from "wouter";
import { ask, segment } from "../api/client.ts";
import { useLiveEvents } from "../api/live-context.ts";
import type { ServerEvent } from "../api/sse.ts";
import type { StoredCall, ToolResult } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Approvals } from "../panels/approvals.tsx";
import { Badge } from "../parts/badge.tsx";
import { CallTable, showTime } from "../parts/call-table.tsx";
import { Json } from "../parts/json.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import "./live.css";

interface RunningCall {
  readonly callId: string;
  readonly tool: string;
  readonly startedAt: number;
  readonly caller: { readonly agent?: string };
}

/** Calls as they happen, those that wait for a person, and the trace of one. */
export default function Live(): ReactNode {
  const [place, setPlace] = useSearchParams();
  const [filter, setFilter] = useState("");
  const [onlyErrors, setOnlyErrors] = useState(false);
  const log = useApi<{ readonly calls: readonly StoredCall[] }>("/calls", { limit: 100, ok: onlyErrors ? false : undefined });
  const running = useApi<{ readonly calls: readonly RunningCall[] }>("/running");
  const progress = useProgress();
  const chosen = place.get("call");
  const shown = useMemo(
    () =>
      (log.data?.calls ?? []).filter(({ tool, caller }) => `${tool} ${caller.agent ?? ""}`.toLowerCase().includes(filter.toLowerCase())),
    [log.data, filter],
  );
  if (log.error !== null && log.data === undefined) return <Failed error={log.error} onRetry={() => void log.refetch()} />;
  return (
    <div className="live">
      <h1>Live</h1>
      <Approvals />
      <section aria-label="Running now" className="running">
        <h2>Running now</h2>
        {(running.data?.calls.length ?? 0) === 0 ? (
          <p className="soft">Nothing runs.</p>
        ) : (
          <ul>
            {running.data?.calls.map((call) => (
              <Running key={call.callId} call={call} progress={progress.get(call.callId)} />
            ))}
          </ul>
        )}
      </section>
      {chosen !== null && <Trace callId={chosen} onClose={() => setPlace({})} />}
      <section aria-label="Calls">
        <div className="live-filter">
          <h2>Calls</h2>
          <input
            type="search"
            aria-label="Filter calls"
            placeholder="Filter by tool or agent"
            value={filter}
            onChange={({ target }) => setFilter(target.value)}
          />
          <label>
            <input type="checkbox" checked={onlyErrors} onChange={({ target }) => setOnlyErrors(target.checked)} /> errors only
          </label>
        </div>
        {log.data === undefined ? (
          <Loading what="the calls" />
        ) : shown.length === 0 ? (
          <Nothing title="No calls">They appear here as they happen.</Nothing>
        ) : (
          <CallTable calls={shown} />
        )}
      </section>
    </div>
  );
}

function Running({ call, progress }: { readonly call: RunningCall; readonly progress: string | undefined }): ReactNode {
  const cancel = useChange(() => ask("POST", `/calls/${segment(call.callId)}/cancel`, { body: {} }), ["/running", "/calls"]);
  return (
    <li>
      <code>{call.tool}</code> <span className="soft small">{call.caller.agent}</span> <Badge>since {showTime(call.startedAt)}</Badge>{" "}
      <span className="small">{progress}</span>
      <button type="button" disabled={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
        Cancel<span className="only-read"> {call.tool}</span>
      </button>
    </li>
  );
}

/** The newest word of each running call. */
function useProgress(): ReadonlyMap<string, string> {
  const [told, setTold] = useState<ReadonlyMap<string, string>>(new Map());
  const onEvent = useCallback(({ event, data }: ServerEvent) => {
    const { callId, progress } = data as {
      readonly callId?: string;
      readonly progress?: { readonly message?: string; readonly progress?: number };
    };
    if (callId === undefined) return;
    if (event === "call-progress") setTold((before) => new Map(before).set(callId, progress?.message ?? String(progress?.progress ?? "")));
    if (event === "call-end") {
      setTold((before) => {
        if (!before.has(callId)) return before;
        const left = new Map(before);
        left.delete(callId);
        return left;
      });
    }
  }, []);
  useLiveEvents(useMemo(() => ({ onEvent }), [onEvent]));
  return told;
}

/** One call with the calls that it made, each where it lies in time. */
function Trace({ callId, onClose }: { readonly callId: string; readonly onClose: () => void }): ReactNode {
  const { data: call, error } = useApi<StoredCall>(`/calls/${segment(callId)}`);
  const retry = useChange(
    (one: StoredCall) => ask<ToolResult>("POST", `/tools/${segment(one.tool)}/call`, { body: { input: one.input } }),
    ["/calls"],
  );
  if (error !== null && call === undefined) return <Failed error={error} />;
  if (call === undefined) return <Loading what="the call" />;
  const all = [call, ...(call.children ?? [])];
  const start = Math.min(...all.map(({ startedAt }) => startedAt));
  const span = Math.max(...all.map(({ startedAt, durationMs }) => startedAt + durationMs)) - start || 1;
  return (
    <section className="trace" aria-label={`Call ${callId}`}>
      <div className="live-filter">
        <h2>
          <code>{call.tool}</code> <Badge meaning={call.ok ? "good" : "bad"}>{call.ok ? "done" : (call.code ?? "failed")}</Badge>
        </h2>
        {!call.ok && (
          <button type="button" disabled={retry.isPending} onClick={() => retry.mutate(call)}>
            Retry
          </button>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      {retry.error !== null && <p role="alert">{retry.error.message}</p>}
      {retry.isSuccess && <p role="status">It worked this time.</p>}
      <ol className="waterfall">
        {all.map((one) => (
          <li key={one.callId}>
            <code>{one.tool}</code>
            <svg
              viewBox="0 0 1000 16"
              preserveAspectRatio="none"
              role="img"
              aria-label={`${one.tool}: ${one.durationMs.toFixed(1)} ms, after ${(one.startedAt - start).toFixed(1)} ms`}
            >
              <rect
                className={one.ok ? "fine" : "failed"}
                x={((one.startedAt - start) / span) * 1000}
                width={Math.max(4, (one.durationMs / span) * 1000)}
                y="2"
                height="12"
                rx="2"
              />
            </svg>
            <span className="small">{one.durationMs.toFixed(1)} ms</span>
          </li>
        ))}
      </ol>
      <div className="trace-bodies">
        <div>
          <h3>Input</h3>
          <Json label="Input" value={call.input} />
        </div>
        <div>
          <h3>{call.ok ? "Output" : "Error"}</h3>
          <Json label={call.ok ? "Output" : "Error"} value={call.ok ? call.output : call.error} />
        </div>
      </div>
    </section>
  );
}
