import type { ReactNode } from "react";
import { ask } from "../api/client.ts";
import type { PendingConfig as Pending } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Table } from "../parts/table.tsx";
import "./pending-config.css";

function usePending(): Pending | undefined {
  return useApi("/config/pending").data?.pending;
}

/** Changes of the configuration file that wait for a person, value by value, and the button that approves exactly that file. */
export function PendingConfig(): ReactNode {
  const pending = usePending();
  const approve = useChange(
    () => ask("POST /config/approve", { body: { digest: pending?.digest } }),
    ["/config", "/settings", "/policy", "/agents", "/sources", "/tools"],
  );
  if (pending === undefined) return null;
  return (
    <section className="draft pending-config" aria-labelledby="pending-config">
      <h2 id="pending-config">The configuration file has changed</h2>
      <p role="status">{pending.message}</p>
      {pending.waiting.length > 0 && (
        <Table label="Changes waiting for approval" columns={["Key", "In force", "In the file"]}>
          {pending.waiting.map(({ key, before, after }) => (
            <tr key={key}>
              <th scope="row">
                <code>{key}</code>
              </th>
              <td>
                <Value of={before} />
              </td>
              <td>
                <Value of={after} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {pending.restart.length > 0 && <p className="soft small">Takes effect after a restart: {pending.restart.join(", ")}</p>}
      <p className="soft small">
        Approves only the file with the digest <code className="digest">{pending.digest}</code>.
      </p>
      <p className="buttons">
        <ConfirmButton verb="Approve" what="the changes" isPending={approve.isPending} onConfirm={() => approve.mutate(undefined)} />
        <span className="soft small">To reject them, undo them in {pending.file}.</span>
      </p>
      {approve.error !== null && <p role="alert">{approve.error.message}</p>}
    </section>
  );
}

/** That something waits, on whichever page one is. */
export function PendingConfigCount(): ReactNode {
  return usePending() === undefined ? null : (
    <span className="count">
      1<span className="only-read"> configuration change is waiting for approval</span>
    </span>
  );
}

function Value({ of }: { readonly of: unknown }): ReactNode {
  return of === undefined ? <span className="soft">not set</span> : <code>{JSON.stringify(of)}</code>;
}
