import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { ask } from "../api/client.ts";
import type { JobDetails, JobSummary } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Badge, type Meaning } from "../parts/badge.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Json } from "../parts/json.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";

const states = ["all", "waiting", "running", "done", "dead", "cancelled"] as const;

/** Jobs of every origin: what will run, runs, ran and died. */
export function Jobs(): ReactNode {
  const [state, setState] = useState<(typeof states)[number]>("all");
  const [chosen, setChosen] = useState<string>();
  const { data, error, refetch } = useApi("/jobs", { query: { limit: 200, ...(state !== "all" && { state }) } });
  return (
    <>
      <label>
        State{" "}
        <select value={state} onChange={(event) => setState(event.target.value as typeof state)}>
          {states.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      {chosen !== undefined && <Job key={chosen} id={chosen} onClose={() => setChosen(undefined)} />}
      {error !== null && data === undefined && <Failed error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading what="the jobs" />}
      {data?.jobs.length === 0 && (
        <Nothing title="No jobs">A job is a call that runs later, or longer than anybody waits for it: toolrack call --job</Nothing>
      )}
      {data !== undefined && data.jobs.length > 0 && (
        <Table label="Jobs" columns={["Job", "State", "Calls", "As", "Made by", "Due", "Tries"]} hasActions>
          {data.jobs.map((job) => (
            <tr key={job.id}>
              <td>
                <button type="button" onClick={() => setChosen(job.id)}>
                  {shortId(job.id)}
                </button>
              </td>
              <td>
                <State job={job} />
              </td>
              <td>
                <code>{job.subject}</code>
              </td>
              <td>{job.caller?.agent ?? ""}</td>
              <td>{job.origin}</td>
              <td>
                <Time at={job.dueAt} />
              </td>
              <td>
                {job.failed} of {job.tries} failed
              </td>
              <td>
                <Actions job={job} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

const meanings: Readonly<Record<JobSummary["state"], Meaning>> = {
  waiting: "quiet",
  running: "warn",
  done: "good",
  dead: "bad",
  cancelled: "quiet",
};

function State({ job }: { readonly job: JobSummary }): ReactNode {
  return <Badge meaning={meanings[job.state]}>{job.isCancelling === true ? "cancelling" : job.state}</Badge>;
}

/** The beginning is the time, which many share. */
function shortId(id: string): string {
  return `${id.slice(0, 13)}…${id.slice(-4)}`;
}

/** What can be done with a job in its state. */
function Actions({ job: { id, state } }: { readonly job: JobSummary }): ReactNode {
  const shown = ["/jobs"] as const;
  const run = useChange(() => ask("POST /jobs/{id}/run", { params: { id } }), shown);
  const replay = useChange(() => ask("POST /jobs/{id}/replay", { params: { id } }), shown);
  const cancel = useChange(() => ask("POST /jobs/{id}/cancel", { params: { id } }), shown);
  const failed = run.error ?? replay.error ?? cancel.error;
  return (
    <div className="buttons">
      {state === "waiting" && (
        <button type="button" disabled={run.isPending} onClick={() => run.mutate(undefined)}>
          Run now
        </button>
      )}
      {(state === "dead" || state === "cancelled") && (
        <ConfirmButton verb="Replay" what={`the job ${id}`} isPending={replay.isPending} onConfirm={() => replay.mutate(undefined)} />
      )}
      {(state === "waiting" || state === "running") && (
        <ConfirmButton verb="Cancel" what={`the job ${id}`} isPending={cancel.isPending} onConfirm={() => cancel.mutate(undefined)} />
      )}
      {failed !== null && <p role="alert">{failed.message}</p>}
    </div>
  );
}

function Job({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const { data, error, refetch } = useApi("/jobs/{id}", { params: { id } });
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <Loading what="the job" /> : <Details job={data} onClose={onClose} />;
}

function Details({ job, onClose }: { readonly job: JobDetails; readonly onClose: () => void }): ReactNode {
  const { id, callId, input, progress, result, error } = job;
  return (
    <section aria-label={`Job ${id}`}>
      <div className="buttons">
        <h2>
          <code>{shortId(id)}</code> <State job={job} />
        </h2>
        {callId !== undefined && <Link href={`/live?call=${encodeURIComponent(callId)}`}>Its call</Link>}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      {error !== undefined && (
        <p role="alert">
          {error.code}: {error.message}
        </p>
      )}
      {input !== undefined && <Json label="Arguments" value={input} />}
      {progress !== undefined && <Json label="Progress" value={progress} />}
      {result !== undefined && <Json label="Result" value={result} />}
    </section>
  );
}
