import type { ReactNode } from "react";
import { Link } from "wouter";
import { ask } from "../api/client.ts";
import type { SourceInfo } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Badge, type Meaning } from "../parts/badge.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Failed, Loading } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { AddSource } from "./_add-source.tsx";
import { ImportSources } from "./_import-sources.tsx";
import "./sources.css";

const meanings: ReadonlyMap<string, Meaning> = new Map([
  ["ready", "good"],
  ["failed", "bad"],
  ["waiting-for-approval", "warn"],
]);

/** Each source with its health and its last error; adding one. */
export function Sources(): ReactNode {
  const { data, error, refetch } = useApi("/sources");
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the sources" />;
  return (
    <div className="overview">
      <Table label="Sources" columns={["Source", "State", "Tools", "Defined in"]} hasActions>
        {data.sources.map((source) => (
          <Row key={source.id} source={source} />
        ))}
      </Table>
      <p className="buttons">
        <Link className="button" href="/openapi">
          Add an API from its OpenAPI document
        </Link>
      </p>
      <div className="source-forms">
        <AddSource />
        <ImportSources />
      </div>
    </div>
  );
}

function Row({ source }: { readonly source: SourceInfo }): ReactNode {
  const params = { id: source.id };
  const touched = ["/sources", "/tools"];
  const refresh = useChange(() => ask("POST /sources/{id}/refresh", { params }), touched);
  const approve = useChange(() => ask("POST /sources/{id}/approve", { params, body: { identity: source.identity } }), touched);
  const remove = useChange(() => ask("DELETE /sources/{id}", { params, query: { removeSecrets: true } }), touched);
  const problem = refresh.error ?? approve.error ?? remove.error;
  const command = commandOf(source);
  return (
    <tr>
      <th scope="row">
        <code>{source.id}</code>
        <div className="small soft">
          {source.kind} {command !== undefined && <code>{command}</code>}
          {source.searched === true && <div>models find its tools by search</div>}
          {["openapi", "options", "cwd", "env", "loads", "headers", "allowHosts", "trust", "maxTools"].map(
            (key) =>
              source.config?.[key] !== undefined && (
                <div key={key}>
                  {key} <code>{JSON.stringify(source.config[key])}</code>
                </div>
              ),
          )}
          {Object.entries(source.supplies ?? {}).map(
            ([part, names]) =>
              names.length > 0 && (
                <div key={part}>
                  supplies {part === "lintRules" ? "lint rules" : part} <code>{names.join(", ")}</code>
                </div>
              ),
          )}
        </div>
      </th>
      <td>
        <Badge meaning={meanings.get(source.state) ?? "quiet"}>{source.state.replaceAll("-", " ")}</Badge>
        {source.readAt !== undefined && (
          <div className="small soft">
            read <Time at={source.readAt} />
          </div>
        )}
        {source.retryAt !== undefined && (
          <div className="small soft">
            tried again <Time at={source.retryAt} />
          </div>
        )}
        {source.required === true && <div className="small soft">this server is ready only while it is</div>}
        {[source.error, ...source.problems].map(
          (text) =>
            text !== undefined && (
              <div key={text} className="small reason">
                {text}
              </div>
            ),
        )}
        {problem !== null && <p role="alert">{problem.message}</p>}
      </td>
      <td>{source.tools.length}</td>
      <td className="small soft">{source.origin}</td>
      <td>
        <span className="buttons">
          {source.state === "waiting-for-approval" && (
            <button type="button" className="primary" onClick={() => approve.mutate(undefined)}>
              Approve<span className="only-read"> {source.id}</span>
            </button>
          )}
          <button type="button" disabled={refresh.isPending} onClick={() => refresh.mutate(undefined)}>
            Refresh<span className="only-read"> {source.id}</span>
          </button>
          {source.kind !== "built-in" && (
            <ConfirmButton verb="Remove" what={source.id} isPending={remove.isPending} onConfirm={() => remove.mutate(undefined)} />
          )}
        </span>
      </td>
    </tr>
  );
}

/** What a source starts or reaches, in one line. */
function commandOf({ config = {} }: SourceInfo): string | undefined {
  const { command, args, url } = config;
  if (typeof command !== "string") return typeof url === "string" ? url : undefined;
  return [command, ...(Array.isArray(args) ? args : [])].join(" ");
}
