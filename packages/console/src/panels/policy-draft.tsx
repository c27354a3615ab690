import { type ReactNode, useState } from "react";
import { useSearchParams } from "wouter";
import { ask } from "../api/client.ts";
import type { CallerDifference, ChangedTool, PolicyDraft as Draft } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Badge } from "../parts/badge.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { Failed, Nothing } from "../parts/states.tsx";

/** A change of the policy on paper: who gains and who loses, before it holds. */
export function PolicyDraft(): ReactNode {
  const agents = useApi("/agents");
  const drafts = useApi("/policy/drafts");
  const [place] = useSearchParams();
  const [key, setKey] = useState(place.get("key") ?? "policy.tools");
  const [written, setWritten] = useState<string | undefined>(undefined);
  const current = useApi("/policy");
  const simulate = useChange((changes: Readonly<Record<string, unknown>>) => ask("POST /policy/simulate", { body: { changes } }), []);
  const save = useChange(
    (changes: Readonly<Record<string, unknown>>) => ask("POST /policy/drafts", { body: { title: `Change of ${key}`, changes } }),
    ["/policy"],
  );
  const [problem, setProblem] = useState("");

  // A change begins with what holds now, so that nothing is dropped by oversight.
  const known = current.data?.settings.find((setting) => setting.key === key)?.value;
  const text = written ?? JSON.stringify(known ?? (key === "policy.tools" ? { deny: [] } : { tools: { deny: [] } }), null, 2);

  function choose(next: string): void {
    setKey(next);
    setWritten(undefined);
  }

  function withChanges(work: (changes: Readonly<Record<string, unknown>>) => void): void {
    try {
      work({ [key]: JSON.parse(text) as unknown });
      setProblem("");
    } catch (error) {
      setProblem(`Not valid JSON: ${(error as Error).message}.`);
    }
  }

  const failure = simulate.error ?? save.error;
  return (
    <div className="overview">
      <form
        className="draft"
        onSubmit={(event) => {
          event.preventDefault();
          withChanges((changes) => simulate.mutate(changes));
        }}
      >
        <label>
          Setting
          <select value={key} onChange={({ target }) => choose(target.value)}>
            <option value="policy.tools">All callers (policy.tools)</option>
            {agents.data?.agents.map(({ id }) => (
              <option key={id} value={`policy.agents.${id}`}>
                {id} (policy.agents.{id})
              </option>
            ))}
          </select>
        </label>
        <label>
          New value
          <textarea rows={8} value={text} onChange={({ target }) => setWritten(target.value)} spellCheck={false} />
        </label>
        <p className="buttons">
          <button type="submit" className="primary">
            Show effects
          </button>
          <button type="button" onClick={() => withChanges((changes) => save.mutate(changes))}>
            Save as draft
          </button>
        </p>
        {problem !== "" && <p role="alert">{problem}</p>}
        {failure !== null && problem === "" && <Failed error={failure} />}
      </form>
      {simulate.data !== undefined && <Differences differences={simulate.data.differences} />}
      <section>
        <h2>Drafts</h2>
        {(drafts.data?.drafts.length ?? 0) === 0 ? (
          <Nothing title="No drafts">Write a change above and save it.</Nothing>
        ) : (
          <ul className="examples">
            {drafts.data?.drafts.map((draft) => (
              <DraftRow key={draft.id} draft={draft} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

function DraftRow({ draft }: { readonly draft: Draft }): ReactNode {
  const { data } = useApi("/policy/drafts/{id}", { params: { id: draft.id } });
  const apply = useChange(() => ask("POST /policy/drafts/{id}/apply", { params: { id: draft.id } }), ["/policy", "/tools", "/agents"]);
  const remove = useChange(() => ask("DELETE /policy/drafts/{id}", { params: { id: draft.id } }), ["/policy"]);
  return (
    <li>
      <div>
        <p>
          {draft.title} <span className="small soft">by {draft.createdBy}</span>{" "}
          {!draft.isCurrent && <Badge meaning="warn">outdated: the policy has changed</Badge>}
        </p>
        <pre tabIndex={0}>{JSON.stringify(draft.changes, null, 2)}</pre>
        {data?.differences !== undefined && <Differences differences={data.differences} />}
        {apply.error !== null && <p role="alert">{apply.error.message}</p>}
      </div>
      <p className="buttons">
        <button type="button" className="primary" disabled={!draft.isCurrent || apply.isPending} onClick={() => apply.mutate(undefined)}>
          Apply
        </button>
        <button type="button" onClick={() => remove.mutate(undefined)}>
          Discard
        </button>
      </p>
    </li>
  );
}

function Differences({ differences }: { readonly differences: readonly CallerDifference[] }): ReactNode {
  if (differences.length === 0) return <p role="status">No agent would gain or lose a tool.</p>;
  return (
    <Scroll label="Effects by agent">
      <table>
        <caption className="only-read">Effects by agent</caption>
        <thead>
          <tr>
            <th scope="col">Agent</th>
            <th scope="col">Gains</th>
            <th scope="col">Loses</th>
            <th scope="col">Approval changes</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ caller, gained, lost, askChanged }) => (
            <tr key={caller.agent ?? ""}>
              <th scope="row">{caller.agent ?? "unknown caller"}</th>
              <Names changed={gained} meaning="good" />
              <Names changed={lost} meaning="bad" />
              <Names changed={askChanged} meaning="warn" />
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function Names({ changed, meaning }: { readonly changed: readonly ChangedTool[]; readonly meaning: "good" | "bad" | "warn" }): ReactNode {
  return (
    <td>
      {changed.slice(0, 30).map(({ name, before, after }) => (
        <Badge key={name} meaning={meaning} title={`${before} → ${after}`}>
          {name}
        </Badge>
      ))}
      {changed.length > 30 && <span className="small soft"> and {changed.length - 30} more</span>}
      {changed.length === 0 && <span className="soft">–</span>}
    </td>
  );
}
