import { lazy, type ReactNode, Suspense, useState } from "react";
import { Link } from "wouter";
import { ask } from "../api/client.ts";
import type { ListedApproval } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Json } from "./json.tsx";
import { Labels } from "./labels.tsx";
import { Sentence } from "./sentence.tsx";
import { Loading } from "./states.tsx";
import { Time } from "./time.tsx";
import "./question.css";

const SchemaForm = lazy(() => import("./schema-form.tsx"));

/** A call that waits, with what it would do: a person says yes or no, or fills in what is asked for. */
export function Question({ waiting }: { readonly waiting: ListedApproval }): ReactNode {
  return waiting.isCut === true ? <WholeQuestion id={waiting.id} /> : <Shown waiting={waiting} />;
}

/** A list shows the beginning of long arguments; a decision needs all of them. */
function WholeQuestion({ id }: { readonly id: string }): ReactNode {
  const { data, error } = useApi("/approvals/{id}", { params: { id } });
  if (data !== undefined && !("kind" in data)) return <Shown waiting={data} />;
  return error === null ? <Loading what="the question" /> : <p className="soft">{error.message}</p>;
}

function Shown({ waiting }: { readonly waiting: ListedApproval }): ReactNode {
  const [scope, setScope] = useState("once");
  const [value, setValue] = useState<unknown>({});
  const decide = useChange(
    (approved: boolean) => {
      const more = approved ? { scope, ...(waiting.schema !== undefined && { value }) } : {};
      return ask("POST /approvals/{id}/decide", { params: { id: waiting.id }, body: { approved, digest: waiting.digest, ...more } });
    },
    ["/approvals", "/running", "/calls"],
  );
  const buttons = (
    <div className="buttons">
      {waiting.schema === undefined && (
        <select aria-label="Validity of the approval" value={scope} onChange={({ target }) => setScope(target.value)}>
          <option value="once">once</option>
          <option value="session">for the session</option>
          <option value="always">always</option>
        </select>
      )}
      <button
        type={waiting.schema === undefined ? "button" : "submit"}
        className="primary"
        disabled={decide.isPending}
        {...(waiting.schema === undefined && { onClick: () => decide.mutate(true) })}
      >
        Approve
      </button>
      <button type="button" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
        Deny
      </button>
    </div>
  );
  return (
    <div className="question">
      <p>
        <strong>{waiting.caller.agent ?? "An unknown agent"}</strong> wants to call <code>{waiting.tool}</code>.{" "}
        <Sentence text={waiting.message} />{" "}
        <span className="small soft">
          since <Time at={waiting.askedAt} />
        </span>
      </p>
      {waiting.program !== undefined && (
        <p className="small">
          A <Link href={`/programs?program=${encodeURIComponent(waiting.program.id)}`}>program</Link> waits for the answer, at line{" "}
          {waiting.program.line}: <code>{waiting.program.text}</code>
        </p>
      )}
      {waiting.labels !== undefined && <Labels labels={waiting.labels} origins={waiting.program?.origins} />}
      <Json label={`Arguments of ${waiting.tool}`} value={waiting.input} />
      {waiting.schema === undefined ? (
        buttons
      ) : (
        <Suspense fallback={<Loading what="the form" />}>
          <SchemaForm schema={waiting.schema} value={value} onChange={setValue} onSubmit={() => decide.mutate(true)}>
            {buttons}
          </SchemaForm>
        </Suspense>
      )}
      {decide.error !== null && <p role="alert">{decide.error.message}</p>}
    </div>
  );
}
