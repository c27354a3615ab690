import { type ReactNode, useState } from "react";
import { useSearchParams } from "wouter";
import { ask } from "../api/client.ts";
import type { AuditVerification, DefinitionInfo } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import Program from "../panels/program.tsx";
import History from "../panels/history.tsx";
import { Badge } from "../parts/badge.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { Time } from "../parts/time.tsx";
import "./changes.css";

/** What others wrote and what waits for a decision; and the record of everything. */
export default function Changes(): ReactNode {
  const [place, setPlace] = useSearchParams();
  return (
    <>
      <h1>Changes</h1>
      <Tabs
        label="Changes"
        current={place.get("tab") ?? "definitions"}
        onChange={(tab) => setPlace({ tab })}
        tabs={[
          { id: "definitions", name: "Definitions", content: () => <Definitions first={place.get("open")} /> },
          { id: "audit", name: "Audit", content: () => <Audit /> },
        ]}
      />
    </>
  );
}

/** `first` is the name of the definition that is open at the beginning. */
function Definitions({ first }: { readonly first: string | null }): ReactNode {
  const { data, error, refetch } = useApi("/lifecycle");
  const [open, setOpen] = useState<string | undefined>(first === null ? undefined : `tool-def-${first}`);
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the definitions" />;
  if (data.definitions.length === 0)
    return <Nothing title="No stored definitions">Tools stored as records are reviewed here before they can be called.</Nothing>;
  const order = ["draft", "validated", "approved", "deprecated", "archived"];
  const sorted = data.definitions.toSorted(
    (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || b.updated_at.localeCompare(a.updated_at),
  );
  return (
    <ul className="definitions">
      {sorted.map((definition) => (
        <li key={definition.id}>
          <div className="definition">
            <div>
              <code>{definition.name}</code> <Badge meaning={definition.state === "approved" ? "good" : "warn"}>{definition.state}</Badge>{" "}
              <span className="small soft">
                version {definition.version}, by {definition.updated_by}, <Time at={definition.updated_at} />
              </span>
              {definition.review?.reason !== undefined && <p className="small">“{definition.review.reason}”</p>}
            </div>
            <button
              type="button"
              aria-expanded={open === definition.id}
              onClick={() => setOpen(open === definition.id ? undefined : definition.id)}
            >
              {open === definition.id ? "Close" : "Review"}
              <span className="only-read"> {definition.name}</span>
            </button>
          </div>
          {open === definition.id && <Review definition={definition} />}
        </li>
      ))}
    </ul>
  );
}

const approve = { verb: "approve", name: "Approve" } as const;
const reject = { verb: "reject", name: "Reject" } as const;
const archive = { verb: "archive", name: "Archive" } as const;
type Verb = "approve" | "reject" | "deprecate" | "archive";

/** What can be decided about a definition in each state. */
const verbs: ReadonlyMap<string, readonly { readonly verb: Verb; readonly name: string }[]> = new Map([
  ["draft", [approve, reject, archive]],
  ["validated", [approve, reject, archive]],
  ["approved", [{ verb: "deprecate", name: "Deprecate" }, { verb: "reject", name: "Back to draft" }, archive]],
  ["deprecated", [approve, archive]],
  ["archived", [{ verb: "reject", name: "Back to draft" }]],
]);

function Review({ definition }: { readonly definition: DefinitionInfo }): ReactNode {
  const [reason, setReason] = useState("");
  // What is decided about is what was shown when it was opened, not what came in since.
  const [looked, setLooked] = useState(definition.hash);
  const decide = useChange(
    async (verb: Verb) => {
      const params = { id: definition.id };
      if (definition.state === "draft" && verb !== "archive") {
        const checked = await ask("POST /lifecycle/{id}/validate", { params });
        if (!checked.ok) throw new Error(`It remains a draft, because it has problems: ${checked.problems.join(" ")}`);
      }
      return ask(`POST /lifecycle/{id}/${verb}`, { params, body: { reason, hash: looked } });
    },
    ["/lifecycle", "/tools", "/breadcrumbs"],
  );
  return (
    <div className="overview">
      <Program id={definition.id} />
      <History id={definition.id} />
      <form className="draft" onSubmit={(event) => event.preventDefault()}>
        <label>
          Reason
          <input value={reason} required onChange={({ target }) => setReason(target.value)} />
        </label>
        <p className="buttons">
          {verbs.get(definition.state)?.map(({ verb, name }, index) => (
            <button
              key={verb}
              type="button"
              className={index === 0 ? "primary" : ""}
              disabled={reason.trim() === "" || decide.isPending}
              onClick={() => decide.mutate(verb)}
            >
              {name}
            </button>
          ))}
        </p>
        {looked !== definition.hash && (
          <p role="alert">
            It has changed since you opened it.{" "}
            <button type="button" onClick={() => setLooked(definition.hash)}>
              I have reviewed the change
            </button>
          </p>
        )}
        {reason.trim() === "" && <p className="small soft">Every decision is recorded with its reason.</p>}
        {decide.error !== null && <p role="alert">{decide.error.message}</p>}
      </form>
    </div>
  );
}

type IntactAudit = Extract<AuditVerification, { readonly ok: true }>;

function isComplete({ missing: { kept, unrecorded } }: IntactAudit): boolean {
  return kept + unrecorded === 0;
}

function describeCheck(check: IntactAudit): string {
  if (isComplete(check)) return `intact: ${check.rows} ${check.rows === 1 ? "line" : "lines"}`;
  const { kept, unrecorded } = check.missing;
  return `intact, but not complete: ${check.rows} lines; ${kept} calls are waiting to be written, ${unrecorded} were not recorded`;
}

function Audit(): ReactNode {
  const [limit, setLimit] = useState(100);
  const { data, error, refetch } = useApi("/audit", { query: { limit } });
  const verify = useChange(() => ask("GET /audit/verification"), []);
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the audit" />;
  return (
    <div className="overview">
      <p className="buttons">
        <button type="button" disabled={verify.isPending} onClick={() => verify.mutate(undefined)}>
          Verify the chain
        </button>
        <span role="status">
          {verify.error?.message}
          {verify.data?.ok === true && <Badge meaning={isComplete(verify.data) ? "good" : "warn"}>{describeCheck(verify.data)}</Badge>}
          {verify.data?.ok === false && (
            <Badge meaning="bad">
              line {verify.data.number}: {verify.data.reason}
            </Badge>
          )}
        </span>
      </p>
      {verify.data?.ok === true && verify.data.limits.map((limit) => <p key={limit}>Not covered by this check: {limit}</p>)}
      {data.lines.length === 0 ? (
        <Nothing title="The audit is empty">Calls and decisions are recorded here.</Nothing>
      ) : (
        <Table label="Audit, newest first" columns={["Line", "When", "What", "Who", "About"]}>
          {data.lines.map((line) => (
            <tr key={line.number}>
              <td>{line.number}</td>
              <td className="small">
                <Time at={line.at} />
              </td>
              <td>
                {line.kind} {line.ok === false && <Badge meaning="bad">failed</Badge>}
              </td>
              <td>{line.who}</td>
              <td>
                <code>{line.subject}</code>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {data.lines.length === limit && limit < 1_000 && (
        <p className="buttons">
          <button type="button" onClick={() => setLimit(Math.min(1_000, limit + 300))}>
            Older lines
          </button>
        </p>
      )}
    </div>
  );
}
