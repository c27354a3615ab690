import type { ReactNode } from "react";
import { useApi } from "../api/use-api.ts";
import "./server-warnings.css";

/** Problems that need attention: a store that accepts no writes, a wrong key, servers that differ. Empty if there are none. */
export function ServerWarnings(): ReactNode {
  const { data } = useApi("/health", { refetchInterval: 15_000 });
  const problems = data?.problems ?? [];
  if (data === undefined || problems.length === 0) return null;
  return (
    <section className={data.ready ? "server-warnings" : "server-warnings bad"} aria-labelledby="server-warnings">
      <h2 id="server-warnings">{data.ready ? "The server needs attention" : "The server is not ready"}</h2>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </section>
  );
}
