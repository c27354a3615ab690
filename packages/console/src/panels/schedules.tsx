import type { ReactNode } from "react";
import { Link } from "wouter";
import { ask } from "../api/client.ts";
import type { ScheduleInfo } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Badge, type Meaning } from "../parts/badge.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";

/** What is called when, as whom, and what came of the latest time. */
export function Schedules(): ReactNode {
  const { data, error, refetch } = useApi("/schedules", { query: { limit: 500 }, refetchInterval: 10_000 });
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the schedules" />;
  if (data.schedules.length === 0)
    return (
      <Nothing title="No schedules">
        A schedule calls a tool at times. Add one to the configuration file, or with: <code>toolrack schedules add</code>
      </Nothing>
    );
  return (
    <Table label="Schedules" columns={["Schedule", "State", "Calls", "When", "As", "Next", "Latest"]} hasActions>
      {data.schedules.map((one) => (
        <Row key={one.id} schedule={one} />
      ))}
    </Table>
  );
}

const meanings: Readonly<Record<ScheduleInfo["state"], Meaning>> = { active: "good", paused: "quiet", waiting: "warn", ended: "quiet" };

function Row({ schedule }: { readonly schedule: ScheduleInfo }): ReactNode {
  const { id, state, spec, runsAs, nextAt, last, reason, origin } = schedule;
  const touches = ["/schedules", "/jobs"];
  const run = useChange(() => ask("POST /schedules/{id}/run", { params: { id } }), touches);
  const pause = useChange(() => ask("POST /schedules/{id}/pause", { params: { id } }), touches);
  const resume = useChange(() => ask("POST /schedules/{id}/resume", { params: { id } }), touches);
  const remove = useChange(() => ask("DELETE /schedules/{id}", { params: { id } }), touches);
  const failed = run.error ?? pause.error ?? resume.error ?? remove.error;
  return (
    <tr>
      <th scope="row">
        <code>{id}</code>
      </th>
      <td>
        <Badge meaning={meanings[state]}>{state}</Badge>
      </td>
      <td>
        <code>{spec.tool}</code>
      </td>
      <td>{whenOf(spec)}</td>
      <td>{runsAs.agent ?? "unknown"}</td>
      <td className="small">{nextAt === undefined ? (reason ?? "") : <Time at={nextAt} />}</td>
      <td className="small">
        {last !== undefined && (
          <>
            {last.outcome} <Time at={last.due} />
          </>
        )}
      </td>
      <td className="buttons">
        {state === "waiting" && <Link href="/live">Answer it</Link>}
        {state !== "waiting" && (
          <button type="button" disabled={run.isPending} onClick={() => run.mutate(undefined)}>
            Run now<span className="only-read"> {id}</span>
          </button>
        )}
        {state === "active" && (
          <button type="button" disabled={pause.isPending} onClick={() => pause.mutate(undefined)}>
            Pause<span className="only-read"> {id}</span>
          </button>
        )}
        {state === "paused" && (
          <button type="button" disabled={resume.isPending} onClick={() => resume.mutate(undefined)}>
            Resume<span className="only-read"> {id}</span>
          </button>
        )}
        {origin === "api" && (
          <ConfirmButton
            verb="Remove"
            what={`the schedule ${id}`}
            isPending={remove.isPending}
            onConfirm={() => remove.mutate(undefined)}
          />
        )}
        {run.data !== undefined && <span role="status">Started</span>}
        {failed !== null && <span role="alert">{failed.message}</span>}
      </td>
    </tr>
  );
}

function whenOf({ at, everyMs, cron, tz }: ScheduleInfo["spec"]): string {
  if (at !== undefined) return `at ${at}`;
  return cron === undefined ? `every ${(everyMs ?? 0) / 1_000} s` : `${cron} (${tz ?? ""})`;
}
