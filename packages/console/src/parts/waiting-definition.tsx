import { type ReactNode, useState } from "react";
import { ask } from "../api/client.ts";
import type { WaitingDefinition as Waiting } from "../api/types.ts";
import { useChange } from "../api/use-api.ts";
import { Badge } from "./badge.tsx";
import { ConfirmButton } from "./confirm-button.tsx";
import { Findings } from "./findings.tsx";
import { Json } from "./json.tsx";
import { Time } from "./time.tsx";
import "./question.css";

/** A new or changed definition of a tool that waits for a person: what changed, what the scanner finds, and the two answers. */
export function WaitingDefinition({ waiting }: { readonly waiting: Waiting }): ReactNode {
  const [reason, setReason] = useState("");
  const { id, what, tool, source, digest, told, verdict, changes, findings, about, definition, seenAt } = waiting;
  const decide = useChange(
    (approved: boolean) =>
      ask("POST /approvals/{id}/decide", { params: { id }, body: { approved, digest, ...(reason !== "" && { reason }) } }),
    ["/approvals", "/definitions", "/tools", "/breadcrumbs"],
  );
  return (
    <div className="question" role="group" aria-label={`Definition of ${tool}`}>
      <p>
        The definition of {what !== "tool" && `the ${what.replace("-", " ")} `}
        <code>{tool}</code> of <strong>{source}</strong> {waiting.reason === "new" ? "is new" : "has changed"}:{" "}
        {what !== "tool" && waiting.effect === "held" ? "it is held, and no client gets it" : effects[waiting.effect]}.{" "}
        {verdict !== undefined && <Badge meaning={verdict === "dangerous" ? "bad" : "warn"}>{verdict}</Badge>}{" "}
        <span className="small soft">
          since <Time at={seenAt} />
        </span>
      </p>
      {told.map((sentence) => (
        <p key={sentence} className="reason">
          {sentence}
        </p>
      ))}
      {about.length > 0 && <p className="reason">It imitates or steers {about.join(", ")}.</p>}
      {changes.length > 0 && (
        <ul className="facts-of-definition" aria-label={`Changes of ${tool}`}>
          {changes.map(({ path, kind, message, before, after }, index) => (
            <li key={index}>
              <p>
                <code>{path === "" ? "/" : path}</code> <span className="small soft">{kind}</span>
              </p>
              <p>{message}</p>
              {before !== undefined && <del>{shown(before)}</del>}
              {after !== undefined && <ins>{shown(after)}</ins>}
            </li>
          ))}
        </ul>
      )}
      <Findings label={`Findings in ${tool}`} findings={findings} />
      <details>
        <summary>The definition, as its source sends it</summary>
        <Json label={`Definition of ${tool}`} value={definition} />
      </details>
      <p className="soft small">
        Decides only about the digest <code className="digest">{digest}</code>.
      </p>
      <div className="buttons">
        <input
          aria-label={`Reason for the decision about ${tool}`}
          placeholder="Reason, for the audit"
          value={reason}
          maxLength={500}
          onChange={({ target }) => setReason(target.value)}
        />
        <ConfirmButton
          verb="Approve"
          what={`the definition of ${tool}`}
          isPending={decide.isPending}
          onConfirm={() => decide.mutate(true)}
        />
        <button type="button" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
          Refuse
        </button>
      </div>
      {decide.error !== null && <p role="alert">{decide.error.message}</p>}
    </div>
  );
}

/** Texts as they are; everything else as JSON. */
function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const effects: Readonly<Record<Waiting["effect"], string>> = {
  held: "the tool is held and cannot be called",
  "old-text": "models see the approved text",
  "old-definition": "models see the approved definition",
  reported: "it is served all the same, because trust.enforce is false",
};
