import type { ReactNode } from "react";
import { Link } from "wouter";
import { useApi } from "../api/use-api.ts";
import "./server-warnings.css";

/**
 * What needs attention: a store that accepts no writes, a wrong key, servers that differ; modules and other sources that failed, with the file,
 * the line and the cause; and what is probably a mistake in the policy. Empty if there is nothing.
 */
export function ServerWarnings(): ReactNode {
  const { data } = useApi("/health", { refetchInterval: 15_000 });
  if (data === undefined) return null;
  const { ready, problems: all, warnings = [], sources } = data;
  // Only who operates the server gets problems.
  const failed = all === undefined ? [] : sources.filter(({ state }) => state === "failed");
  const problems = (all ?? []).filter((problem) => !problem.startsWith("Sources failed:"));
  return (
    <>
      {problems.length > 0 && (
        <section className={ready ? "server-warnings" : "server-warnings bad"} aria-labelledby="server-warnings">
          <h2 id="server-warnings">{ready ? "The server needs attention" : "The server is not ready"}</h2>
          <Sentences of={problems} />
        </section>
      )}
      {failed.length > 0 && (
        <section className="server-warnings bad" aria-labelledby="failed-sources">
          <h2 id="failed-sources">{failed.length === 1 ? "A source of tools failed" : `${failed.length} sources of tools failed`}</h2>
          <Sentences of={failed.map(({ id, error = "Its tools could not be read." }) => `${id}: ${error}`)} />
          <Link href="/system">See the sources</Link>
        </section>
      )}
      {warnings.length > 0 && (
        <section className="server-warnings" aria-labelledby="policy-warnings">
          <h2 id="policy-warnings">The policy has warnings</h2>
          <Sentences of={warnings} />
          <Link href="/policy?tab=rules">See the rules in force</Link>
        </section>
      )}
    </>
  );
}

function Sentences({ of: texts }: { readonly of: readonly string[] }): ReactNode {
  return (
    <ul>
      {texts.slice(0, maxShown).map((text) => (
        <li key={text}>{text}</li>
      ))}
      {texts.length > maxShown && <li>{texts.length - maxShown} more</li>}
    </ul>
  );
}

const maxShown = 10;
