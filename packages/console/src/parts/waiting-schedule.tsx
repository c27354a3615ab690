import type { ReactNode } from "react";
import { ask } from "../api/client.ts";
import type { WaitingSchedule as Waiting } from "../api/types.ts";
import { useChange } from "../api/use-api.ts";
import { Json } from "./json.tsx";

/** A schedule that an agent made, and that a person has to approve. */
export function WaitingSchedule({ waiting }: { readonly waiting: Waiting }): ReactNode {
  const { id, schedule, tool, when, by, runsAs, input, digest } = waiting;
  const decide = useChange(
    (approved: boolean) => ask("POST /approvals/{id}/decide", { params: { id }, body: { approved, digest } }),
    ["/approvals", "/schedules"],
  );
  return (
    <div className="question">
      <p>
        {by} wants to call <code>{tool}</code> {when}, as {runsAs.agent ?? "unknown"} (schedule <code>{schedule}</code>).
      </p>
      <Json label={`Arguments of ${schedule}`} value={input} />
      <p className="buttons">
        <button type="button" className="primary" disabled={decide.isPending} onClick={() => decide.mutate(true)}>
          Approve<span className="only-read"> {schedule}</span>
        </button>
        <button type="button" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
          Deny<span className="only-read"> {schedule}</span>
        </button>
      </p>
      {decide.error !== null && <p role="alert">{decide.error.message}</p>}
    </div>
  );
}
