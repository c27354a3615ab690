import { type ReactNode, useMemo, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import type { RecordedCall } from "../api/types.ts";
import { useApi } from "../api/use-api.ts";
import { Approvals } from "../panels/approvals.tsx";
import { Running } from "../panels/running.tsx";
import { Trace } from "../panels/trace.tsx";
import { CallTable } from "../parts/call-table.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import "./live.css";

/** Calls as they happen, those that wait for a person, and the trace of one. */
export default function Live(): ReactNode {
  const [place, setPlace] = useSearchParams();
  const running = useApi("/running");
  const chosen = place.get("call");
  const calls = running.data?.calls ?? [];
  return (
    <div className="live">
      <h1>Live</h1>
      <Running calls={calls} />
      <div className="live-log">
        {chosen !== null && <Trace key={chosen} callId={chosen} onClose={() => setPlace({})} />}
        <Log />
      </div>
      <Approvals isBusy={calls.length > 0} />
    </div>
  );
}

function Log(): ReactNode {
  const [filter, setFilter] = useState("");
  const [onlyErrors, setOnlyErrors] = useState(false);
  const log = useApi("/calls", { query: { limit: 100, ok: onlyErrors ? false : undefined } });
  const [isHeld, setHeld] = useState(false);
  // Nothing moves under the hand that is about to press it.
  const [isTouched, setTouched] = useState(false);
  const calls = useHeld(log.data?.calls, isHeld || isTouched);
  const shown = useMemo(
    () => calls?.filter(({ tool, caller }) => `${tool} ${caller.agent ?? ""}`.toLowerCase().includes(filter.toLowerCase())),
    [calls, filter],
  );
  const newer = countNewer(log.data?.calls ?? [], calls ?? []);
  return (
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
        <label className="choice">
          <input type="checkbox" checked={onlyErrors} onChange={({ target }) => setOnlyErrors(target.checked)} /> errors only
        </label>
        <label className="choice">
          <input type="checkbox" checked={isHeld} onChange={({ target }) => setHeld(target.checked)} /> pause updates
        </label>
      </div>
      <p role="status" className="live-note small soft">
        {newer > 0 && `${newer} newer calls, shown when ${isHeld ? "updates continue" : "you leave the list"}`}
      </p>
      {log.error !== null && log.data === undefined && <Failed error={log.error} onRetry={() => void log.refetch()} />}
      {log.error === null && shown === undefined && <Loading what="the calls" />}
      {shown?.length === 0 && <Nothing title="No calls">Calls appear here as they happen.</Nothing>}
      {shown !== undefined && shown.length > 0 && (
        <div
          onPointerEnter={() => setTouched(true)}
          onPointerLeave={() => setTouched(false)}
          onFocus={() => setTouched(true)}
          onBlur={() => setTouched(false)}
        >
          <CallTable calls={shown} />
        </div>
      )}
    </section>
  );
}

/** The newest value, or, while held, the one from when the holding began. */
function useHeld<Value>(value: Value, isHeld: boolean): Value {
  const kept = useRef(value);
  if (!isHeld) kept.current = value;
  return kept.current;
}

function countNewer(now: readonly RecordedCall[], shown: readonly RecordedCall[]): number {
  const newest = shown[0]?.number ?? 0;
  return now.filter(({ number }) => number > newest).length;
}
