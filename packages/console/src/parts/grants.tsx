import { type ReactNode, useState } from "react";
import { ask } from "../api/client.ts";
import type { GrantList } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { ConfirmButton } from "./confirm-button.tsx";
import { Table } from "./table.tsx";
import { Time } from "./time.tsx";

/** Tools of others that ask for programs, hosts, files or secrets: those that wait for a person, and who granted the others. */
export function Grants(): ReactNode {
  const { data } = useApi("/grants");
  const revoke = useChange((id: string) => ask("DELETE /grants/{id}", { params: { id } }), ["/grants", "/tools"]);
  if (data === undefined || data.grants.length + data.waiting.length === 0) return null;
  return (
    <>
      <h3>Grants</h3>
      {data.waiting.map((one) => (
        <Waiting key={`${one.sourceId} ${one.tool} ${one.print}`} waiting={one} />
      ))}
      {data.grants.length > 0 && (
        <Table label="Grants" columns={["Tool", "May use", "State", "Granted"]} hasActions>
          {data.grants.map((grant) => (
            <tr key={grant.id}>
              <th scope="row">
                <code>{grant.tool}</code> <span className="small soft">{grant.sourceId}</span>
              </th>
              <td>{asksText(grant.asks)}</td>
              <td>{grant.state}</td>
              <td className="small">
                by {grant.by}, <Time at={grant.at} />: {grant.reason}
              </td>
              <td>
                <ConfirmButton
                  verb="Revoke"
                  what={`the grant for ${grant.tool}`}
                  isPending={revoke.isPending}
                  onConfirm={() => revoke.mutate(grant.id)}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {revoke.error !== null && <p role="alert">{revoke.error.message}</p>}
    </>
  );
}

/** One tool, for exactly the definition that is shown. */
function Waiting({ waiting }: { readonly waiting: GrantList["waiting"][number] }): ReactNode {
  const [reason, setReason] = useState("");
  const { tool, sourceId, print, asks, isChanged } = waiting;
  const body = { tool: `${sourceId}/${tool}`, print, reason };
  const grant = useChange(() => ask("POST /grants", { body }), ["/grants", "/tools"]);
  return (
    <form
      className="draft"
      onSubmit={(event) => {
        event.preventDefault();
        grant.mutate(undefined);
      }}
    >
      <p>
        <code>{tool}</code> of {sourceId} asks for {asksText(asks)}, so it is not served.
        {isChanged && " It had a grant for an earlier definition."}
      </p>
      <label>
        Reason
        <input required maxLength={500} value={reason} onChange={({ target }) => setReason(target.value)} />
      </label>
      <p className="buttons">
        <button type="submit" className="primary" disabled={grant.isPending}>
          Grant<span className="only-read"> {tool}</span>
        </button>
      </p>
      {grant.error !== null && <p role="alert">{grant.error.message}</p>}
    </form>
  );
}

const words = {
  programs: "programs",
  hosts: "hosts",
  readsFiles: "reading files",
  writesFiles: "writing files",
  permissions: "permissions",
  secrets: "secrets",
} as const;

function asksText(asks: GrantList["waiting"][number]["asks"]): string {
  return Object.entries(asks)
    .map(([kind, names]) => `${words[kind as keyof typeof words]} ${(names as readonly string[]).join(", ")}`)
    .join("; ");
}
