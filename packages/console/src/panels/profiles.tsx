import type { ReactNode } from "react";
import { Link, useSearchParams } from "wouter";
import { pageOf } from "../api/client.ts";
import { useApi } from "../api/use-api.ts";
import { StateBadge } from "../parts/badge.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";

/** What each profile lets through, before any other rule. */
export function Profiles(): ReactNode {
  const { data, error, refetch } = useApi("/policy/profiles");
  const [place, setPlace] = useSearchParams();
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the profiles" />;
  const chosen = place.get("profile") ?? data.profiles[0]!;
  return (
    <div className="overview">
      <label>
        Profile{" "}
        <select value={chosen} onChange={({ target }) => setPlace({ tab: "profiles", profile: target.value })}>
          {data.profiles.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <ToolsOf profile={chosen} />
    </div>
  );
}

function ToolsOf({ profile }: { readonly profile: string }): ReactNode {
  const { data, error, refetch } = useApi("/policy/profiles/{name}", { params: { name: profile } });
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the tools of the profile" />;
  if (data.tools.length === 0) return <Nothing title="No tools">This profile names no tool that this server knows.</Nothing>;
  return (
    <Table label={`Tools of the profile ${profile}`} columns={["Tool", "State"]}>
      {data.tools.map(({ name, state }) => (
        <tr key={name}>
          <th scope="row">{state === undefined ? name : <Link href={pageOf(name)}>{name}</Link>}</th>
          <td>{state === undefined ? <span className="small soft">not here</span> : <StateBadge state={state} />}</td>
        </tr>
      ))}
    </Table>
  );
}
