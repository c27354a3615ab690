import { type ReactNode, useState } from "react";
import type { Caller, ToolExplanation } from "../api/types.ts";
import { useApi } from "../api/use-api.ts";
import { CallerForm } from "../parts/caller-form.tsx";
import { Decision } from "../parts/decision.tsx";
import { ExplanationView } from "../parts/explanation.tsx";
import { Failed, Loading } from "../parts/states.tsx";
import "./access.css";

/** Who may use one tool, and for any caller why or why not. */
export default function Access({ tool, own }: { readonly tool: string; readonly own: ToolExplanation }): ReactNode {
  const [caller, setCaller] = useState<Caller | undefined>(undefined);
  const { data, error, refetch } = useApi("/policy/matrix");
  const column = data?.tools.indexOf(tool) ?? -1;
  return (
    <div className="access">
      <section aria-label="Callers">
        <h2>Who may use it</h2>
        {error !== null && data === undefined && <Failed error={error} onRetry={() => void refetch()} />}
        <ul className="access-list">
          <li>
            <button type="button" aria-pressed={caller === undefined} onClick={() => setCaller(undefined)}>
              you <Decision letter={own.allowed ? (own.decision?.ask === undefined ? "a" : "?") : "-"} />
            </button>
          </li>
          {data?.rows.map(({ agent, cells }) => (
            <li key={agent ?? ""}>
              <button
                type="button"
                aria-pressed={caller !== undefined && caller.agent === agent}
                onClick={() => setCaller(agent === undefined ? {} : { agent })}
              >
                {agent ?? "unknown caller"} <Decision letter={cells[column] ?? "x"} />
              </button>
            </li>
          ))}
        </ul>
        <CallerForm label="Another agent" placeholder="any name" caller={caller ?? {}} onChange={setCaller} />
      </section>
      <section aria-label="Why" aria-live="polite">
        <h2>{caller === undefined ? "Decision for you" : `Decision for ${caller.agent ?? "an unknown caller"}`}</h2>
        {caller === undefined ? <ExplanationView explanation={own} /> : <Why tool={tool} caller={caller} />}
      </section>
    </div>
  );
}

function Why({ tool, caller }: { readonly tool: string; readonly caller: Caller }): ReactNode {
  const { data, error, refetch } = useApi("/policy/explain", { query: { tool, caller: JSON.stringify(caller) } });
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <Loading what="the explanation" /> : <ExplanationView explanation={data} />;
}
