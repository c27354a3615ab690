import type { ReactNode } from "react";
import { Link } from "wouter";
import type { RecordedCall } from "../api/types.ts";
import { Badge } from "./badge.tsx";
import { Table } from "./table.tsx";
import "./call-table.css";

/** Calls with when, who, how long and how they ended; each leads to its trace. */
export function CallTable({ calls }: { readonly calls: readonly RecordedCall[] }): ReactNode {
  return (
    <Table label="Calls, newest first" columns={["When", "Tool", "Agent", "Outcome", "Duration"]} className="calls">
      {calls.map((call) => (
        <tr key={call.callId}>
          <td className="small">
            <Link href={`/live?call=${encodeURIComponent(call.callId)}`}>{showTime(call.startedAt)}</Link>
          </td>
          <td>
            <code>{call.tool}</code>
          </td>
          <td>{call.caller.agent ?? "unknown"}</td>
          <td>
            <Badge meaning={call.ok ? "good" : "bad"}>{call.ok ? "done" : (call.code ?? "failed")}</Badge>
          </td>
          <td className="small">{call.durationMs.toFixed(1)} ms</td>
        </tr>
      ))}
    </Table>
  );
}

/** 1763186400000 → "06:00:00" today, with the date before it on other days. */
export function showTime(time: number): string {
  const date = new Date(time);
  const clock = date.toLocaleTimeString(undefined, { hour12: false });
  return date.toDateString() === new Date().toDateString() ? clock : `${date.toISOString().slice(0, 10)} ${clock}`;
}
