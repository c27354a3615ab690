import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from "react";
import { Link } from "wouter";
import { useApi } from "../api/use-api.ts";
import { ExplanationView } from "./explanation.tsx";
import { Failed, Loading } from "./states.tsx";
import "./why-dialog.css";

/** A tool, and who asks for it; without an agent, an unknown caller. */
export interface ToolForAgent {
  readonly tool: string;
  readonly agent: string | undefined;
}

export interface WhyHandle {
  open(about: ToolForAgent): void;
}

/** Why an agent may or may not use a tool, over the page. */
export function WhyDialog({ ref }: { readonly ref: Ref<WhyHandle> }): ReactNode {
  const [about, setAbout] = useState<ToolForAgent | undefined>(undefined);
  const dialog = useRef<HTMLDialogElement>(null);
  useImperativeHandle(ref, () => ({
    open(next) {
      setAbout(next);
      dialog.current?.showModal();
    },
  }));
  return (
    <dialog ref={dialog} className="why" aria-label="Why" onClose={() => setAbout(undefined)}>
      {about !== undefined && <Why {...about} />}
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}

function Why({ tool, agent }: ToolForAgent): ReactNode {
  const caller = agent === undefined ? {} : { agent };
  const { data, error, refetch } = useApi("/policy/explain", { query: { tool, caller: JSON.stringify(caller) } });
  return (
    <>
      <h2>
        <code>{tool}</code> for {agent ?? "an unknown caller"}
      </h2>
      {error !== null && <Failed error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Loading what="the explanation" />}
      {data !== undefined && <ExplanationView explanation={data} />}
      {data !== undefined && (
        <p>
          <Link href={`/policy?tab=draft&key=${encodeURIComponent(agent === undefined ? "policy.tools" : `policy.agents.${agent}`)}`}>
            Draft a change
          </Link>
        </p>
      )}
    </>
  );
}
