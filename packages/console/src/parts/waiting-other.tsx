import type { ReactNode } from "react";
import { ask } from "../api/client.ts";
import type { ApprovalList } from "../api/types.ts";
import { useChange } from "../api/use-api.ts";
import { Json } from "./json.tsx";

/** A question of a kind that this page has no form for. */
export interface OtherQuestion {
  readonly id: string;
  readonly digest: string;
  readonly [part: string]: unknown;
}

const known: ReadonlySet<string> = new Set(["waiting", "remembered", "definitions", "grants", "drafts", "schedules", "proposals"]);

/** What the server lists beside the kinds that are known here. */
export function othersIn(list: ApprovalList): readonly OtherQuestion[] {
  return Object.entries(list)
    .filter(([name]) => !known.has(name))
    .flatMap(([, value]: [string, unknown]) => (Array.isArray(value) ? (value as unknown[]) : []))
    .filter(isQuestion);
}

function isQuestion(value: unknown): value is OtherQuestion {
  const { id, digest } = (value ?? {}) as { readonly id?: unknown; readonly digest?: unknown };
  return typeof id === "string" && typeof digest === "string";
}

/** How much waits, as far as the list tells. */
export function waitingTotal(list: ApprovalList): number {
  const { waitingTotal: calls, definitionsTotal, grantsTotal, drafts, schedules, proposals } = list;
  return calls + definitionsTotal + grantsTotal + drafts.length + schedules.length + proposals.length + othersIn(list).length;
}

/** All that the question says, and a yes or no. */
export function WaitingOther({ waiting }: { readonly waiting: OtherQuestion }): ReactNode {
  const { id, digest, ...rest } = waiting;
  const title = [rest["title"], rest["message"], rest["kind"]].find((part) => typeof part === "string") ?? "A question";
  return (
    <div className="question">
      <p>
        <strong>{String(title)}</strong> <code>{id}</code>
      </p>
      <Json label={`All of ${id}`} value={rest} />
      <Decide id={id} digest={digest} what={id} touches={["/approvals"]} />
    </div>
  );
}

interface DecideProps {
  readonly id: string;
  readonly digest: string;
  /** What is decided about, for those who hear it. */
  readonly what: string;
  readonly touches: readonly string[];
}

/** Accepts exactly what was shown, or refuses it. */
export function Decide({ id, digest, what, touches }: DecideProps): ReactNode {
  const decide = useChange(
    (approved: boolean) => ask("POST /approvals/{id}/decide", { params: { id }, body: { approved, digest } }),
    touches,
  );
  return (
    <>
      <p className="buttons">
        <button type="button" className="primary" disabled={decide.isPending} onClick={() => decide.mutate(true)}>
          Accept<span className="only-read"> {what}</span>
        </button>
        <button type="button" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
          Refuse<span className="only-read"> {what}</span>
        </button>
      </p>
      {decide.error !== null && <p role="alert">{decide.error.message}</p>}
    </>
  );
}
