import type { ReactNode } from "react";
import type { StoredCall } from "../api/types.ts";
import { useApi } from "../api/use-api.ts";
import { CallTable } from "../parts/call-table.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";

/** The newest calls of one tool. */
export default function ToolCalls({ tool }: { readonly tool: string }): ReactNode {
  const { data, error, refetch } = useApi<{ readonly calls: readonly StoredCall[] }>("/calls", { tool, limit: 50 });
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the calls" />;
  if (data.calls.length === 0) return <Nothing title="Nobody has called it yet">Try it in the tab beside.</Nothing>;
  return <CallTable calls={data.calls} />;
}
