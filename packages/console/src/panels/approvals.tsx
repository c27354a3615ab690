import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { ask } from "../api/client.ts";
import type { RememberedApproval } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Grants, WaitingGrant } from "../parts/grants.tsx";
import { Question } from "../parts/question.tsx";
import { WaitingDefinition } from "../parts/waiting-definition.tsx";
import { othersIn, WaitingOther, waitingTotal } from "../parts/waiting-other.tsx";
import { WaitingProposal } from "../parts/waiting-proposal.tsx";
import { WaitingSchedule } from "../parts/waiting-schedule.tsx";

/** What waits for a person: calls with what they would do, definitions, grants, schedules and proposals; and what people agreed to for longer. */
export function Approvals({ isBusy }: { readonly isBusy: boolean }): ReactNode {
  const [shown, setShown] = useState(20);
  // A question may come some time after its call began, so while calls run it is looked for.
  const { data, error } = useApi("/approvals", { query: { limit: String(shown) }, refetchInterval: isBusy ? 2_000 : false });
  const others = data === undefined ? [] : othersIn(data);
  const lists =
    data === undefined ? [] : [data.waiting, data.definitions, data.grants, data.drafts, data.schedules, data.proposals, others];
  const waits = lists.reduce((sum, { length }) => sum + length, 0);
  return (
    <section className={waits > 0 ? "waiting asks" : "waiting"} aria-label="Waiting for approval" tabIndex={0}>
      <h2>Waiting for approval</h2>
      {error !== null && data === undefined && <p className="soft">{error.message}</p>}
      <div className="waiting-calls">
        {data !== undefined && waits === 0 && <p className="soft">Nothing is waiting.</p>}
        {data !== undefined && waits > 0 && data.waiting.length === 0 && <p className="soft">No call is waiting.</p>}
        {data?.waiting.map((one) => (
          <Question key={one.id} waiting={one} />
        ))}
      </div>
      {data?.definitions.map((one) => (
        <WaitingDefinition key={`${one.id} ${one.digest}`} waiting={one} />
      ))}
      {data?.grants.map((one) => (
        <WaitingGrant key={`${one.id} ${one.print}`} waiting={one} />
      ))}
      {data?.schedules.map((one) => (
        <WaitingSchedule key={`${one.id} ${one.digest}`} waiting={one} />
      ))}
      {data?.proposals.map((one) => (
        <WaitingProposal key={`${one.id} ${one.digest}`} waiting={one} />
      ))}
      {others.map((one) => (
        <WaitingOther key={`${one.id} ${one.digest}`} waiting={one} />
      ))}
      {data?.drafts.map((one) => (
        <p key={one.id} className="question">
          The stored tool <code>{one.tool}</code> was changed by {one.by} and is not served. <Link href="/changes">Review it</Link>
        </p>
      ))}
      {data !== undefined && waits < waitingTotal(data) && (
        <p className="buttons">
          {waits} of {waitingTotal(data)} are shown.
          {shown < 200 && (
            <button type="button" onClick={() => setShown(Math.min(200, shown + 20))}>
              Show more
            </button>
          )}
        </p>
      )}
      <p className="small">
        <Link href="/programs">Programs that wait, or did</Link>
      </p>
      <Grants />
      {data !== undefined && data.remembered.length > 0 && (
        <details>
          <summary>Remembered approvals ({data.remembered.length})</summary>
          <ul>
            {data.remembered.map((one) => (
              <Agreed key={one.id} agreed={one} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Agreed({ agreed }: { readonly agreed: RememberedApproval }): ReactNode {
  const forget = useChange(() => ask("DELETE /approvals/{id}", { params: { id: agreed.id } }), ["/approvals"]);
  return (
    <li className="buttons">
      <code>{agreed.tool}</code> for {agreed.caller.agent ?? "any agent"}, {agreed.scope}, by {agreed.by}
      <button type="button" disabled={forget.isPending} onClick={() => forget.mutate(undefined)}>
        Revoke<span className="only-read"> {agreed.tool}</span>
      </button>
      {forget.error !== null && <span role="alert">{forget.error.message}</span>}
    </li>
  );
}
