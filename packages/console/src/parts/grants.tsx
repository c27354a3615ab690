import { type ReactNode, useState } from "react";
import { ask } from "../api/client.ts";
import type { GrantList } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Badge } from "./badge.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { Time } from "./time.tsx";
import "./question.css";

/** Tools of others that may use programs, hosts, files or secrets, and who granted that. */
export function Grants(): ReactNode {
  const { data } = useApi("/grants");
  const revoke = useChange((id: string) => ask("DELETE /grants/{id}", { params: { id } }), ["/grants", "/approvals", "/tools"]);
  if (data === undefined || data.grants.length === 0) return null;
  return (
    <>
      <h3>Grants</h3>
      <ul className="facts-of-definition" aria-label="Grants">
        {data.grants.map((grant) => (
          <li key={grant.id}>
            <p>
              <code>{grant.tool}</code> of <strong>{grant.sourceId}</strong> may use {asksText(grant.asks)}.{" "}
              {grant.state !== "in-force" && <Badge meaning="warn">{grant.state}</Badge>}
            </p>
            <p className="small soft">
              Granted by {grant.by}, <Time at={grant.at} />: {grant.reason}
            </p>
            <p className="buttons">
              <ConfirmButton
                verb="Revoke"
                what={`the grant for ${grant.tool}`}
                isPending={revoke.isPending}
                onConfirm={() => revoke.mutate(grant.id)}
              />
            </p>
          </li>
        ))}
      </ul>
      {revoke.error !== null && <p role="alert">{revoke.error.message}</p>}
    </>
  );
}

/** One tool that asks for a grant, for exactly the definition that is shown. */
export function WaitingGrant({ waiting }: { readonly waiting: GrantList["waiting"][number] }): ReactNode {
  const [reason, setReason] = useState("");
  const { tool, sourceId, print, asks, isChanged } = waiting;
  const body = { tool: `${sourceId}/${tool}`, print, reason };
  const grant = useChange(() => ask("POST /grants", { body }), ["/grants", "/approvals", "/tools"]);
  return (
    <form
      className="question"
      aria-label={`Grant for ${tool}`}
      onSubmit={(event) => {
        event.preventDefault();
        grant.mutate(undefined);
      }}
    >
      <p>
        <code>{tool}</code> of <strong>{sourceId}</strong> asks for {asksText(asks)}, so it is not served.
        {isChanged && " It had a grant for an earlier definition."}
      </p>
      <p className="soft small">
        Decides only about the print <code className="digest">{print}</code>.
      </p>
      <div className="buttons">
        <input
          required
          aria-label={`Reason for the grant for ${tool}`}
          placeholder="Reason, for the audit"
          value={reason}
          maxLength={500}
          onChange={({ target }) => setReason(target.value)}
        />
        <button type="submit" className="primary" disabled={grant.isPending}>
          Grant<span className="only-read"> {tool}</span>
        </button>
      </div>
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
