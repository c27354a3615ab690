import type { ReactNode } from "react";
import { useApi } from "../api/use-api.ts";
import { Badge, type Meaning } from "../parts/badge.tsx";
import { Time } from "../parts/time.tsx";

const meanings: ReadonlyMap<string, Meaning> = new Map([
  ["ok", "good"],
  ["degraded", "warn"],
  ["unavailable", "bad"],
  ["bubblewrap", "good"],
  ["unshare", "good"],
  ["unconfined", "warn"],
  ["refused", "warn"],
]);

/** How the server and its store are doing, in a line. */
export function HealthLine(): ReactNode {
  const { data, error } = useApi("/health");
  if (data === undefined) return <p className="soft small">{error === null ? "Loading the server status …" : error.message}</p>;
  return (
    <p className="badges small">
      <Badge meaning={meanings.get(data.status) ?? "quiet"}>{data.status}</Badge>
      <span>
        Toolrack {data.version}, since <Time at={data.startedAt} />
      </span>
      <span>
        store <Badge meaning={data.checks.store === "ok" ? "good" : "bad"}>{data.checks.store}</Badge>
      </span>
      <span>
        {data.tools} tools, {data.running === 1 ? "1 call" : `${data.running} calls`} running
      </span>
      <span>
        programs <Badge meaning={meanings.get(data.programs) ?? "quiet"}>{data.programs}</Badge>
      </span>
    </p>
  );
}
