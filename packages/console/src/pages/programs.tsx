import type { ReactNode } from "react";
import { Link, useSearchParams } from "wouter";
import { ask } from "../api/client.ts";
import type { ProgramCallDetails, ProgramDetails, ProgramSummary } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Badge, type Meaning } from "../parts/badge.tsx";
import { ChainGraph } from "../parts/chain-graph.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Json } from "../parts/json.tsx";
import { Labels } from "../parts/labels.tsx";
import { SourceLines } from "../parts/source-lines.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import "./programs.css";

/** Programs that wait for a person, or did: where each stands, with which values, and how it ended. */
export default function Programs(): ReactNode {
  const [place, setPlace] = useSearchParams();
  const { data, error, refetch } = useApi("/programs", { query: { limit: 200 } });
  const chosen = place.get("program");
  return (
    <>
      <h1>Programs</h1>
      <p className="soft">
        Programs over tools that wait for a person, or did. Their questions are answered on <Link href="/live">Live</Link>.
      </p>
      {chosen !== null && <Program key={chosen} id={chosen} onClose={() => setPlace({})} />}
      {error !== null && data === undefined && <Failed error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading what="the programs" />}
      {data?.programs.length === 0 && (
        <Nothing title="No programs">A program appears here when one of its calls waits for a person.</Nothing>
      )}
      {data !== undefined && data.programs.length > 0 && (
        <Table label="Programs" columns={["Program", "Status", "Agent", "Tool", "Line", "Started"]}>
          {data.programs.map((one) => (
            <tr key={one.id}>
              <td>
                <Link href={`/programs?program=${encodeURIComponent(one.id)}`}>{shortId(one.id)}</Link>
              </td>
              <td>
                <Status status={one.status} />
              </td>
              <td>{one.caller.agent ?? "unknown"}</td>
              <td>
                <code>{one.tool}</code>
              </td>
              <td>{one.line ?? ""}</td>
              <td>
                <Time at={one.startedAt} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

const meanings: Readonly<Record<ProgramSummary["status"], Meaning>> = { waiting: "warn", ended: "good", failed: "bad", cancelled: "quiet" };

function Status({ status }: { readonly status: ProgramSummary["status"] }): ReactNode {
  return <Badge meaning={meanings[status]}>{status}</Badge>;
}

/** The beginning is the time, which many share. */
function shortId(id: string): string {
  return id.length <= 24 ? id : `${id.slice(0, 17)}…${id.slice(-6)}`;
}

function Program({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const { data, error, refetch } = useApi("/programs/{id}", { params: { id } });
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <Loading what="the program" /> : <Details program={data} onClose={onClose} />;
}

function Details({ program, onClose }: { readonly program: ProgramDetails; readonly onClose: () => void }): ReactNode {
  const { id, status, source, chain, pending, outcome, error, callId } = program;
  const cancel = useChange(() => ask("DELETE /programs/{id}", { params: { id } }), ["/programs", "/approvals", "/running"]);
  return (
    <section aria-label={`Program ${id}`}>
      <div className="buttons">
        <h2>
          <code>{shortId(id)}</code> <Status status={status} />
        </h2>
        <Link href={`/live?call=${encodeURIComponent(callId)}`}>Its calls</Link>
        {status === "waiting" && (
          <ConfirmButton verb="Cancel" what="the program" isPending={cancel.isPending} onConfirm={() => cancel.mutate(undefined)} />
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      {cancel.error !== null && <p role="alert">{cancel.error.message}</p>}
      {chain === undefined ? (
        <SourceLines label="Source of the program" source={source} standing={pending.map(({ line }) => line)} />
      ) : (
        <Steps chain={chain} />
      )}
      {pending.map((call) => (
        <Waiting key={call.callId} call={call} />
      ))}
      {outcome !== undefined && (
        <>
          <h3>Result</h3>
          <Labels labels={{ "": outcome.labels ?? [] }} />
          <Json label="Result" value={outcome.value} />
          {outcome.logs !== undefined && <Json label="Logs" value={outcome.logs} />}
        </>
      )}
      {error !== undefined && (
        <p role="alert">
          {error.code}: {error.message}
        </p>
      )}
    </section>
  );
}

/** Nobody wrote the program that a chain is made to: its steps are shown instead. */
function Steps({ chain }: { readonly chain: NonNullable<ProgramDetails["chain"]> }): ReactNode {
  const steps = new Map(chain.steps.map((step) => [step.id, step]));
  return (
    <ChainGraph
      graph={chain}
      toolOf={(step) => steps.get(step)?.tool ?? ""}
      statusOf={(step) => steps.get(step)?.status}
      returned={chain.returned}
    />
  );
}

function Waiting({ call }: { readonly call: ProgramCallDetails }): ReactNode {
  return (
    <div className="programs-call">
      <h3>
        Line {call.line}: <code>{call.tool}</code> {call.approval === undefined ? "runs" : <Link href="/live">waits for a person</Link>}
      </h3>
      <Labels labels={call.labels} origins={call.origins} />
      <Json label={`Arguments of ${call.tool}`} value={call.input} />
    </div>
  );
}
