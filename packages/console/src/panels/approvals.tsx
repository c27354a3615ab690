import { type ReactNode, useState } from "react";
import { ask, segment } from "../api/client.ts";
import type { Caller } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { showTime } from "../parts/call-table.tsx";
import { Json } from "../parts/json.tsx";

interface Waiting {
  readonly id: string;
  readonly tool: string;
  readonly message: string;
  readonly input: unknown;
  readonly digest: string;
  readonly caller: Caller;
  readonly askedAt: number;
}

/** The calls that wait for a person, with what they would do. Nothing is shown while nothing waits. */
export function Approvals(): ReactNode {
  const { data } = useApi<{ readonly waiting: readonly Waiting[] }>("/approvals");
  if (data === undefined || data.waiting.length === 0) return null;
  return (
    <section className="waiting" aria-label="Waiting for you">
      <h2>Waiting for you</h2>
      <ul className="examples">
        {data.waiting.map((one) => (
          <Question key={one.id} waiting={one} />
        ))}
      </ul>
    </section>
  );
}

function Question({ waiting }: { readonly waiting: Waiting }): ReactNode {
  const [scope, setScope] = useState("once");
  const decide = useChange(
    (approved: boolean) =>
      ask("POST", `/approvals/${segment(waiting.id)}/decide`, { body: { approved, digest: waiting.digest, ...(approved && { scope }) } }),
    ["/approvals", "/running", "/calls"],
  );
  return (
    <li>
      <div>
        <p>
          <strong>{waiting.caller.agent ?? "Somebody"}</strong> wants to call <code>{waiting.tool}</code>. {waiting.message}{" "}
          <span className="small soft">since {showTime(waiting.askedAt)}</span>
        </p>
        <Json label={`Arguments of ${waiting.tool}`} value={waiting.input} />
        {decide.error !== null && <p role="alert">{decide.error.message}</p>}
      </div>
      <p className="buttons">
        <select aria-label="How long the yes holds" value={scope} onChange={({ target }) => setScope(target.value)}>
          <option value="once">this once</option>
          <option value="session">for the session</option>
          <option value="always">always</option>
        </select>
        <button type="button" className="primary" disabled={decide.isPending} onClick={() => decide.mutate(true)}>
          Approve
        </button>
        <button type="button" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
          Deny
        </button>
      </p>
    </li>
  );
}
