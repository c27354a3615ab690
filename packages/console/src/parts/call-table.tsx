import { showDuration } from "@toolrack/core/internal/duration";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { RecordedCall } from "../api/types.ts";
import { Badge } from "./badge.tsx";
import { Table } from "./table.tsx";
import { Time } from "./time.tsx";
import "./call-table.css";

/** Calls in the order in which they ended, with who, how long and how; each leads to its trace. */
export function CallTable({ calls }: { readonly calls: readonly RecordedCall[] }): ReactNode {
  return (
    <Table label="Calls, newest first" columns={["Ended", "Tool", "Agent", "Outcome", "Duration"]} className="calls">
      {calls.map((call) => (
        <tr key={call.callId}>
          <td className="small">
            <Link href={`/live?call=${encodeURIComponent(call.callId)}`}>
              <Time at={call.startedAt + call.durationMs} />
            </Link>
          </td>
          <td title={call.tool}>
            <code>{call.tool}</code>
          </td>
          <td title={call.caller.agent}>{call.caller.agent ?? "unknown"}</td>
          <td>
            <Badge meaning={call.ok ? "good" : "bad"}>{call.ok ? "done" : (call.code ?? "failed")}</Badge>
          </td>
          <td className="small">
            <Took call={call} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** "12 ms"; "12 ms, waited 7 min 26 s" for a call that waited for a person. */
export function Took({ call: { durationMs, waitedMs = 0 } }: { readonly call: Pick<RecordedCall, "durationMs" | "waitedMs"> }): ReactNode {
  return (
    <>
      {showDuration(durationMs - waitedMs)}
      {waitedMs > 0 && <span className="waited soft">waited {showDuration(waitedMs)}</span>}
    </>
  );
}
