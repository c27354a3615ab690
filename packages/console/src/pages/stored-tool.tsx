import type { ReactNode } from "react";
import { Link, useSearchParams } from "wouter";
import { useApi } from "../api/use-api.ts";
import { StoredForm } from "../panels/stored-form.tsx";
import { Failed, Loading } from "../parts/states.tsx";

/** Writes a new tool that is a program or a chain, or changes a stored one: ?tool=<name>. */
export default function StoredTool(): ReactNode {
  const [place] = useSearchParams();
  const tool = place.get("tool");
  return (
    <div className="overview">
      <p className="small">
        <Link href="/">Catalog</Link>
      </p>
      <h1>{tool === null ? "New stored tool" : `Change ${tool}`}</h1>
      <p>
        A program or a chain of calls, stored as a record. It can compute, and call the tools that it names, as whoever calls it. Files,
        network, environment and secrets do not exist in it. Nobody can call it before it is approved.
      </p>
      {tool === null ? <StoredForm /> : <Change key={tool} tool={tool} />}
    </div>
  );
}

function Change({ tool }: { readonly tool: string }): ReactNode {
  const { data, error, refetch } = useApi("/breadcrumbs/{id}", { params: { id: `tool-def-${tool}` } });
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  // After a change the form begins anew with what is stored, so that it can be changed again.
  return data === undefined ? <Loading what={tool} /> : <StoredForm record={data} />;
}
