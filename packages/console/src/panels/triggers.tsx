import { type ReactNode, useState } from "react";
import { ask } from "../api/client.ts";
import type { TriggerInfo } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Badge } from "../parts/badge.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Json } from "../parts/json.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";

/** Which events call which tool, as whom, and how many events called nothing. */
export function Triggers(): ReactNode {
  const { data, error, refetch } = useApi("/triggers", { refetchInterval: 10_000 });
  const [chosen, setChosen] = useState<string>();
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the triggers" />;
  if (data.triggers.length === 0)
    return (
      <Nothing title="No triggers">
        A trigger calls a tool when something happens. Add one to the configuration file, or with: <code>toolrack triggers add</code>
      </Nothing>
    );
  const tested = data.triggers.find(({ id }) => id === chosen);
  return (
    <>
      <Table label="Triggers" columns={["Trigger", "State", "On", "Calls", "As", "Skipped"]} hasActions>
        {data.triggers.map((one) => (
          <Row key={one.id} trigger={one} onTest={() => setChosen(one.id)} />
        ))}
      </Table>
      {tested !== undefined && <Test key={tested.id} trigger={tested} onClose={() => setChosen(undefined)} />}
    </>
  );
}

function Row({ trigger, onTest }: { readonly trigger: TriggerInfo; readonly onTest: () => void }): ReactNode {
  const { id, state, spec, runsAs, reason, skipped, origin } = trigger;
  const pause = useChange(() => ask("POST /triggers/{id}/pause", { params: { id } }), ["/triggers"]);
  const resume = useChange(() => ask("POST /triggers/{id}/resume", { params: { id } }), ["/triggers"]);
  const remove = useChange(() => ask("DELETE /triggers/{id}", { params: { id } }), ["/triggers"]);
  const failed = pause.error ?? resume.error ?? remove.error;
  return (
    <tr>
      <th scope="row">
        <code>{id}</code>
      </th>
      <td>
        <Badge meaning={state === "active" ? "good" : "quiet"}>{state}</Badge> <span className="small">{reason}</span>
      </td>
      <td>
        <code>{JSON.stringify(spec.on)}</code>
      </td>
      <td>
        <code>{spec.tool}</code>
      </td>
      <td>{runsAs.agent ?? "unknown"}</td>
      <td className="small">{skipped !== undefined && `${skipped.count}, the latest: ${skipped.reason}`}</td>
      <td className="buttons">
        <button type="button" onClick={onTest}>
          Test<span className="only-read"> {id}</span>
        </button>
        {state === "active" ? (
          <button type="button" disabled={pause.isPending} onClick={() => pause.mutate(undefined)}>
            Pause<span className="only-read"> {id}</span>
          </button>
        ) : (
          <button type="button" disabled={resume.isPending} onClick={() => resume.mutate(undefined)}>
            Resume<span className="only-read"> {id}</span>
          </button>
        )}
        {origin === "api" && (
          <ConfirmButton verb="Remove" what={`the trigger ${id}`} isPending={remove.isPending} onConfirm={() => remove.mutate(undefined)} />
        )}
        {failed !== null && <span role="alert">{failed.message}</span>}
      </td>
    </tr>
  );
}

/** Shows what the trigger would do with an event; nothing is called. */
function Test({ trigger, onClose }: { readonly trigger: TriggerInfo; readonly onClose: () => void }): ReactNode {
  const { id, spec } = trigger;
  const [text, setText] = useState(() => JSON.stringify(sampleOf(spec), null, 2));
  const [problem, setProblem] = useState("");
  const test = useChange((event: object) => ask("POST /triggers/{id}/test", { params: { id }, body: { event } }), []);

  function submit(): void {
    try {
      test.mutate(JSON.parse(text) as object);
      setProblem("");
    } catch (error) {
      setProblem(`Not valid JSON: ${(error as Error).message}.`);
    }
  }

  const told = problem || test.error?.message || test.data?.fault;
  return (
    <section aria-label={`Test of ${id}`}>
      <div className="buttons">
        <h3>Test of {id}</h3>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      <form
        className="draft"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label>
          An event
          <textarea rows={6} spellCheck={false} value={text} onChange={({ target }) => setText(target.value)} />
        </label>
        <button type="submit" disabled={test.isPending}>
          Show what it would call
        </button>
      </form>
      {told ? (
        <p role="alert">{told}</p>
      ) : (
        test.data?.input !== undefined && (
          <div role="status">
            <p>
              It would call <code>{spec.tool}</code> with:
            </p>
            <Json label={`What ${spec.tool} would be called with`} value={test.data.input} />
          </div>
        )
      )}
    </section>
  );
}

/** An event with an empty text at each place that the mapping reads: "/record/title" → { record: { title: "" } }. */
function sampleOf({ input }: TriggerInfo["spec"]): Record<string, unknown> {
  const object = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;
  const sample = object();
  for (const { from = "" } of Object.values(input ?? {})) {
    const names = from.split("/").slice(1);
    let place = sample;
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1;
      if (isLast) place[name] ??= "";
      else place = (place[name] ||= object()) as Record<string, unknown>;
    }
  }
  return sample;
}
