import { type ReactNode, useState } from "react";
import type { ToolDetails } from "../api/types.ts";
import { useApi } from "../api/use-api.ts";
import { Failed, Loading } from "../parts/states.tsx";

const notations = ["gbnf", "lark", "structural-tag"] as const;

/** The grammar by which a local model can only call this tool, with arguments that fit. */
export default function Grammar({ tool }: { readonly tool: ToolDetails }): ReactNode {
  const [notation, setNotation] = useState<string>("gbnf");
  const { data, error, refetch } = useApi("/exports/grammars/{notation}", { params: { notation }, query: { tool: tool.name } });
  return (
    <div className="overview">
      <label>
        Notation
        <select value={notation} onChange={({ target }) => setNotation(target.value)}>
          {notations.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {error !== null && data === undefined && <Failed error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading what="the grammar" />}
      {data !== undefined && (
        <>
          {data.losses.length > 0 && (
            <p className="reason">
              {data.losses.length} constraints of the schema are looser in the grammar; each call is still validated against the schema.
            </p>
          )}
          <pre tabIndex={0} aria-label="The grammar">
            {data.grammar}
          </pre>
        </>
      )}
    </div>
  );
}
