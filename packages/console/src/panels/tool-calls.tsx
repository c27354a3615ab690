import { type ReactNode, useState } from "react";
import { useApi } from "../api/use-api.ts";
import { CallTable } from "../parts/call-table.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";

/** The newest calls of one tool. */
export default function ToolCalls({ tool }: { readonly tool: string }): ReactNode {
  const [limit, setLimit] = useState(50);
  const { data, error, refetch } = useApi("/calls", { query: { tool, limit } });
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the calls" />;
  if (data.calls.length === 0) return <Nothing title="No calls yet">Call it in the tab “Try it”.</Nothing>;
  return (
    <>
      <CallTable calls={data.calls} />
      {data.next !== undefined &&
        (limit < most ? (
          <button type="button" onClick={() => setLimit(most)}>
            Show more
          </button>
        ) : (
          <p>
            For older calls run: toolrack calls --tool {tool} --before {data.next}
          </p>
        ))}
    </>
  );
}

/** Of one page of the API. */
const most = 500;
