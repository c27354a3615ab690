import { type ReactNode, useCallback, useMemo, useState } from "react";
import { ask } from "../api/client.ts";
import { useLiveEvents } from "../api/live-context.ts";
import type { RunningCallInfo, StreamEvent } from "../api/types.ts";
import { useChange } from "../api/use-api.ts";
import { type Progress, ProgressView } from "../parts/progress.tsx";
import { Time } from "../parts/time.tsx";

/** The calls that are on their way, with what they last said. */
export function Running({ calls }: { readonly calls: readonly RunningCallInfo[] }): ReactNode {
  const told = useProgress();
  return (
    <section aria-label="Running now" className="running" tabIndex={0}>
      <h2>Running now</h2>
      {calls.length === 0 ? (
        <p className="soft">No calls are running.</p>
      ) : (
        <ul>
          {calls.map((call) => (
            <One key={call.callId} call={call} progress={told.get(call.callId)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function One({ call, progress }: { readonly call: RunningCallInfo; readonly progress: Progress | undefined }): ReactNode {
  const cancel = useChange(() => ask("POST /calls/{id}/cancel", { params: { id: call.callId }, body: {} }), ["/running", "/calls"]);
  return (
    <li>
      <p className="buttons">
        <code>{call.tool}</code>
        <span className="soft small">
          {call.caller.agent ?? "unknown"}, since <Time at={call.startedAt} />
        </span>
        <button type="button" disabled={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
          Cancel<span className="only-read"> {call.tool}</span>
        </button>
      </p>
      {progress !== undefined && <ProgressView progress={progress} />}
      {cancel.error !== null && <p role="alert">{cancel.error.message}</p>}
    </li>
  );
}

/** The latest progress of each running call. */
function useProgress(): ReadonlyMap<string, Progress> {
  const [told, setTold] = useState<ReadonlyMap<string, Progress>>(new Map());
  const onEvent = useCallback(({ event, data }: StreamEvent) => {
    if (event !== "call-progress" && event !== "call-end") return;
    const { callId, progress } = data as { readonly callId: string; readonly progress?: Progress };
    setTold((before) => {
      if (progress === undefined && !before.has(callId)) return before;
      const next = new Map(before);
      if (event === "call-progress" && progress !== undefined) next.set(callId, progress);
      else next.delete(callId);
      return next;
    });
  }, []);
  useLiveEvents(useMemo(() => ({ onEvent }), [onEvent]));
  return told;
}
