import type { ReactNode } from "react";
import { Link } from "wouter";
import { ask } from "../api/client.ts";
import type { ApiAnswers } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Badge, type Meaning } from "../parts/badge.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";

type Pool = ApiAnswers["GET /workers"]["pools"][number];
type Worker = Pool["workers"][number];

/** The pools of workers as this server sees them, and asking a worker to end. */
export function Workers(): ReactNode {
  const { data, error, refetch } = useApi("/workers", { refetchInterval: 2_000 });
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the workers" />;
  return (
    <div className="overview">
      {data.pools.length === 0 && (
        <Nothing title="No pools">A pool is a source with workers in the configuration: sources.&lt;id&gt;.workers</Nothing>
      )}
      {data.pools.map((pool) => (
        <PoolOfWorkers key={pool.source} pool={pool} />
      ))}
      <p className="buttons small">
        Public key of the servers of this store, for <code>toolrack worker --server</code>: <code>{data.publicKey}</code>
        <CopyButton text={data.publicKey} what="the public key" />
      </p>
    </div>
  );
}

function PoolOfWorkers({ pool: { pool, source, state, error, tools, workers, problems } }: { readonly pool: Pool }): ReactNode {
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
  const running = workers.reduce((sum, worker) => sum + worker.running, 0);
  return (
    <section aria-label={`Pool ${pool}`}>
      <h2>
        Pool <code>{pool}</code> <Badge meaning={sourceMeanings.get(state) ?? "warn"}>{state.replaceAll("-", " ")}</Badge>
      </h2>
      <p className="small soft">
        Source <Link href="/system?tab=sources">{source}</Link>, {tools === 1 ? "one tool" : `${tools} tools`}, {running} of {slots} slots
        in use
      </p>
      {error !== undefined && <p className="reason">{error}</p>}
      {problems.map((problem) => (
        <p key={problem} className="reason">
          {problem}
        </p>
      ))}
      {workers.length === 0 ? (
        <p className="soft">No worker is there. Its tools cannot be called.</p>
      ) : (
        <Table
          label={`Workers of ${pool}`}
          columns={["Worker", "State", "Slots in use", "Tools", "Version", "Since", "Last seen", "Key"]}
          hasActions
        >
          {workers.map((worker) => (
            <Row key={worker.instance} worker={worker} />
          ))}
        </Table>
      )}
    </section>
  );
}

const sourceMeanings: ReadonlyMap<string, Meaning> = new Map([
  ["ready", "good"],
  ["failed", "bad"],
  ["disabled", "quiet"],
]);
const meanings: Readonly<Record<Worker["state"], Meaning>> = { open: "good", full: "warn", draining: "warn", gone: "bad" };

function Row({ worker }: { readonly worker: Worker }): ReactNode {
  const { instance, state, running, slots, tools, version, startedAt, seenAt, key } = worker;
  const drain = useChange(() => ask("POST /workers/{instance}/drain", { params: { instance } }), ["/workers"]);
  return (
    <tr>
      <th scope="row">
        <code title={instance}>{instance.slice(0, 8)}</code>
      </th>
      <td>
        <Badge meaning={meanings[state]}>{state}</Badge>
      </td>
      <td>
        {running} of {slots}
      </td>
      <td>{tools}</td>
      <td>{version ?? "unknown"}</td>
      <td className="small">
        <Time at={startedAt} />
      </td>
      <td className="small">
        <Time at={seenAt} />
      </td>
      <td className="small">
        <code title={key}>{key.slice(0, 16)}…</code>
      </td>
      <td>
        {(state === "open" || state === "full") && (
          <ConfirmButton
            verb="Drain"
            what={`the worker ${instance}`}
            isPending={drain.isPending}
            onConfirm={() => drain.mutate(undefined)}
          />
        )}
        {drain.error !== null && <p role="alert">{drain.error.message}</p>}
      </td>
    </tr>
  );
}
