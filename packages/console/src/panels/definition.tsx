import type { ReactNode } from "react";
import { useApi } from "../api/use-api.ts";
import { Findings } from "../parts/findings.tsx";
import { Loading } from "../parts/states.tsx";
import { WaitingDefinition } from "../parts/waiting-definition.tsx";

/** Whether a tool is served as its source has it, what waits for a person, and what the scanner finds. */
export default function Definition({ tool }: { readonly tool: string }): ReactNode {
  const { data, error } = useApi("/definitions/{tool}", { params: { tool } });
  if (error !== null && data === undefined) return <p className="soft">{error.message}</p>;
  if (data === undefined) return <Loading what="the definition" />;
  const { waiting, findings, state } = data;
  return (
    <div className="overview">
      <p role="status">{states[state]}</p>
      {waiting !== undefined && waiting.refused !== true && <WaitingDefinition key={waiting.digest} waiting={waiting} />}
      {waiting?.refused === true && <p className="reason">A person refused the definition that the source sends now.</p>}
      {waiting === undefined && <Findings label={`Findings in ${tool}`} findings={findings} />}
      {waiting === undefined && findings.length === 0 && <p className="soft">The scanner finds nothing in its words.</p>}
    </div>
  );
}

const states = {
  served: "Served as its source has it.",
  changed: "Its source sends another definition now.",
  held: "Held: not listed, found or callable.",
  unknown: "No tool has this name.",
} as const;
