import { showDuration } from "@toolrack/core/internal/duration";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { ask, pageOf } from "../api/client.ts";
import type { CallDetails, Caller, RecordedCall } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Badge } from "../parts/badge.tsx";
import { Took } from "../parts/call-table.tsx";
import { Json } from "../parts/json.tsx";
import { Failed, Loading } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import "./trace.css";

/** One call and the calls it made, on a time line. A failed call can be repeated as its caller. */
export function Trace({ callId, onClose }: { readonly callId: string; readonly onClose: () => void }): ReactNode {
  const { data: call, error, refetch } = useApi("/calls/{id}", { params: { id: callId } });
  const retry = useChange(
    ({ tool, input, caller }: RecordedCall) =>
      ask("POST /tools/{name}/call", {
        params: { name: tool },
        body: { input, ...(caller.owner !== true && { runAs: factsOf(caller) }) },
      }),
    ["/calls"],
  );
  if (error !== null && call === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (call === undefined) return <Loading what="the call" />;
  return (
    <section className="trace" aria-label={`Call ${callId}`}>
      <div className="buttons">
        <h2>
          <Link href={pageOf(call.tool)}>
            <code>{call.tool}</code>
          </Link>{" "}
          <Badge meaning={call.ok ? "good" : "bad"}>{call.ok ? "done" : (call.code ?? "failed")}</Badge>
        </h2>
        <span className="small soft">
          by {call.caller.agent ?? "an unknown caller"}, <Time at={call.startedAt} />
        </span>
        {!call.ok && (
          <button type="button" disabled={retry.isPending} onClick={() => retry.mutate(call)}>
            Retry
          </button>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      {retry.error !== null && <p role="alert">The retry failed: {retry.error.message}</p>}
      {retry.data !== undefined && (
        <p role="status">
          The retry succeeded. <Link href={`/live?call=${encodeURIComponent(retry.data.meta.callId)}`}>Show that call</Link>
        </p>
      )}
      <Waterfall call={call} />
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

function Waterfall({ call }: { readonly call: CallDetails }): ReactNode {
  const all = [call, ...call.children].sort((a, b) => a.startedAt - b.startedAt);
  const start = Math.min(...all.map(({ startedAt }) => startedAt));
  const span = Math.max(...all.map(({ startedAt, durationMs }) => startedAt + durationMs)) - start || 1;
  const depths = depthsOf(call, all);
  return (
    <ol className="waterfall" aria-label="Timeline">
      {all.map((one) => (
        <li key={one.callId}>
          <span className="waterfall-name" style={{ paddingLeft: `${Math.min(depths.get(one.callId) ?? 0, 6)}rem` }}>
            {one === call ? (
              <code>{one.tool}</code>
            ) : (
              <Link href={`/live?call=${encodeURIComponent(one.callId)}`}>
                <code>{one.tool}</code>
              </Link>
            )}
          </span>
          <svg
            viewBox="0 0 1000 16"
            preserveAspectRatio="none"
            role="img"
            aria-label={`${one.tool}: ${showDuration(one.durationMs)}, after ${showDuration(one.startedAt - start)}`}
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
          <span className="small">
            <Took call={one} />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The depth of each call below the first. */
function depthsOf(call: RecordedCall, all: readonly RecordedCall[]): ReadonlyMap<string, number> {
  const depths = new Map([[call.callId, 0]]);
  for (const { callId, parentCallId } of all) {
    const above = parentCallId === undefined ? undefined : depths.get(parentCallId);
    if (callId !== call.callId) depths.set(callId, (above ?? 0) + 1);
  }
  return depths;
}

const facts = ["agent", "provider", "model", "channel", "group", "sender", "session", "sandboxed", "phase"] as const;

/** What one may say of another caller. */
function factsOf(caller: Caller): Caller {
  return Object.fromEntries(facts.flatMap((fact) => (caller[fact] === undefined ? [] : [[fact, caller[fact]]])));
}
