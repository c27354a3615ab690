import type { ReactNode } from "react";
import type { ServerState } from "../api/types.ts";
import { useApi } from "../api/use-api.ts";
import { Badge, type Meaning } from "../parts/badge.tsx";
import { Failed, Loading } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";

/** The servers of the store, and whether they agree. */
export function Servers(): ReactNode {
  const { data, error, refetch } = useApi("/status", { refetchInterval: 10_000 });
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the servers" />;
  const { checks, servers, store, waiting, notes, unrecordedCalls } = data;
  return (
    <div className="overview">
      {servers === undefined ? (
        <p role="alert">The store does not respond, so the other servers are unknown.</p>
      ) : (
        <Table
          label="Servers"
          columns={["Server", "Host", "Process", "Version", "Since", "State", "Configuration", "Master key", "Lag", "Calls"]}
        >
          {servers.map((server) => (
            <Row key={server.name} server={server} />
          ))}
        </Table>
      )}
      <p className="badges small">
        {Object.entries(checks)
          .filter(([, state]) => state !== "unknown")
          .map(([name, state]) => (
            <span key={name}>
              {words.get(name) ?? name} <Badge meaning={name === "wakeUps" ? "quiet" : state === "ok" ? "good" : "bad"}>{state}</Badge>
            </span>
          ))}
      </p>
      <p className="soft small">
        Store: {store.kind}
        {store.newestChange !== undefined && `, newest change ${store.newestChange}`}
        {store.migrations !== undefined && `, ${store.migrations.applied} of ${store.migrations.known} migrations`}. Waiting:{" "}
        {waiting.approvals ?? "an unknown number of"} approvals, {waiting.configChanges} configuration changes, {waiting.unwrittenEnds} call
        results. Calls of this server that are not in the audit: {unrecordedCalls}.
      </p>
      {notes.map((note) => (
        <p key={note} className="soft small">
          {note}
        </p>
      ))}
    </div>
  );
}

function Row({ server }: { readonly server: ServerState }): ReactNode {
  const { name, isThis, status, host, pid, version, startedAt, config, differs, masterKey, lag, running } = server;
  return (
    <tr>
      <th scope="row">
        <code title={name}>{name.slice(-6)}</code> {isThis && <span className="soft small">this one</span>}
      </th>
      <td>{host ?? "unknown"}</td>
      <td>{pid ?? "unknown"}</td>
      <td>{version ?? "unknown"}</td>
      <td className="small">{startedAt === undefined ? "unknown" : <Time at={startedAt} />}</td>
      <td>
        <Badge meaning={status === "active" ? "good" : "bad"}>{status}</Badge>
      </td>
      <td>
        <Badge meaning={comparisons.get(config) ?? "quiet"}>{config}</Badge> {differs.join(", ")}
      </td>
      <td>
        <Badge meaning={comparisons.get(masterKey) ?? "quiet"}>{masterKey}</Badge>
      </td>
      <td>{lag ?? "unknown"}</td>
      <td>{running}</td>
    </tr>
  );
}

const comparisons: ReadonlyMap<string, Meaning> = new Map([
  ["same", "good"],
  ["different", "bad"],
]);

const words: ReadonlyMap<string, string> = new Map([
  ["masterKey", "master key"],
  ["wakeUps", "change notifications"],
]);
