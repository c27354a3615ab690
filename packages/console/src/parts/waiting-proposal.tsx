import type { ReactNode } from "react";
import type { WaitingProposal as Waiting } from "../api/types.ts";
import { Json } from "./json.tsx";
import { Time } from "./time.tsx";
import { Decide } from "./waiting-other.tsx";

/** A change of settings that an agent proposes: each value as it is and as it would be, whole. */
export function WaitingProposal({ waiting }: { readonly waiting: Waiting }): ReactNode {
  const { id, digest, caller, note, changes, tool, expiresAt } = waiting;
  const keys = changes.map(({ key }) => key).join(", ");
  return (
    <div className="question">
      <p>
        <strong>{caller.agent ?? "An unknown agent"}</strong> proposes a change of settings, with <code>{tool}</code>.{" "}
        <span className="small soft">
          until <Time at={expiresAt} />
        </span>
      </p>
      {note !== undefined && <p>It says: {note}</p>}
      {changes.map(({ key, before, after }) => (
        <div key={key} className="question">
          <p>
            <code>{key}</code> {after === null ? "is removed" : before === undefined ? "is added" : "is replaced"}
          </p>
          {before !== undefined && <Json label={`${key} now`} value={before} />}
          {before !== undefined && after !== null && <p className="small soft">becomes</p>}
          {after !== null && <Json label={`${key} as proposed`} value={after} />}
        </div>
      ))}
      <Decide id={id} digest={digest} what={keys} touches={["/approvals", "/settings", "/sources", "/bundles", "/tools", "/audit"]} />
    </div>
  );
}
