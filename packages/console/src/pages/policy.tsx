import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { pageOf } from "../api/client.ts";
import { useApi } from "../api/use-api.ts";
import { PolicyDraft } from "../panels/policy-draft.tsx";
import { decisions, lookOf } from "../parts/decision.tsx";
import { ExplanationView } from "../parts/explanation.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import "./policy.css";

/** Who may use what, why, and what a change would do. */
export default function Policy(): ReactNode {
  const [place, setPlace] = useSearchParams();
  const tab = place.get("tab") ?? "matrix";
  return (
    <>
      <h1>Policy</h1>
      <Tabs
        label="Policy"
        current={tab}
        onChange={(next) => setPlace({ tab: next })}
        tabs={[
          { id: "matrix", name: "Tools × agents", content: () => <MatrixView /> },
          { id: "rules", name: "Rules in force", content: () => <Rules /> },
          { id: "draft", name: "Draft a change", content: () => <PolicyDraft /> },
        ]}
      />
    </>
  );
}

function MatrixView(): ReactNode {
  const [showsHostless, setShowsHostless] = useState(false);
  const { data, error, refetch } = useApi("/policy/matrix", { query: showsHostless ? { all: true } : {} });
  const [filter, setFilter] = useState("");
  const [cell, setCell] = useState<{ readonly tool: string; readonly agent: string | undefined } | undefined>(undefined);
  const dialog = useRef<HTMLDialogElement>(null);
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the policy" />;
  const shown = data.tools
    .flatMap((tool, index) => (tool.toLowerCase().includes(filter.toLowerCase()) ? [{ tool, index }] : []))
    .slice(0, maxShown);
  return (
    <div className="matrix-view">
      <div className="matrix-head">
        <input
          type="search"
          aria-label="Filter tools"
          placeholder="Filter tools"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
        <ul className="legend" aria-label="Legend">
          {[...decisions.values()].map(({ word, meaning, mark }) => (
            <li key={word}>
              <span className={`cell ${meaning}`} aria-hidden="true">
                {mark}
              </span>{" "}
              {word}
            </li>
          ))}
        </ul>
      </div>
      {shown.length === 0 ? (
        <Nothing title={data.tools.length === 0 ? "No tools yet" : "No matching tool"}>
          {data.tools.length === 0 ? "Add a source on the System page." : "Shorten the filter."}
        </Nothing>
      ) : (
        <div className="matrix-box" role="region" aria-label="Tools and agents" tabIndex={0}>
          <table className="matrix" onKeyDown={moveInMatrix}>
            <thead>
              <tr>
                <th scope="col">Tool</th>
                {data.rows.map(({ agent }) => (
                  <th key={agent ?? ""} scope="col">
                    {agent ?? "unknown caller"}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map(({ tool, index }) => (
                <tr key={tool}>
                  <th scope="row">
                    <Link href={pageOf(tool, "?tab=access")}>
                      <code>{tool}</code>
                    </Link>
                  </th>
                  {data.rows.map(({ agent, cells }) => {
                    const { word, meaning, mark } = lookOf(cells[index]);
                    return (
                      <td key={agent ?? ""}>
                        <button
                          type="button"
                          className={`cell ${meaning}`}
                          aria-label={`${tool} for ${agent ?? "an unknown caller"}: ${word}. Explain`}
                          onClick={() => {
                            setCell({ tool, agent });
                            dialog.current?.showModal();
                          }}
                        >
                          {mark}
                        </button>
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data.tools.length > shown.length && (
        <p className="soft small">
          {shown.length} of {data.tools.length} tools are shown. Use the filter to find others.
        </p>
      )}
      {(data.withoutHost > 0 || showsHostless) && (
        <p className="soft small">
          {showsHostless ? "Known tools without a host are shown." : `${data.withoutHost} known tools without a host are left out.`}{" "}
          <button type="button" aria-pressed={showsHostless} onClick={() => setShowsHostless(!showsHostless)}>
            {showsHostless ? "Leave them out" : "Show them"}
          </button>
        </p>
      )}
      <dialog ref={dialog} className="why" aria-label="Why" onClose={() => setCell(undefined)}>
        {cell !== undefined && <Why tool={cell.tool} agent={cell.agent} />}
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </div>
  );
}

const maxShown = 300;

/** Arrows go from cell to cell. */
function moveInMatrix(event: KeyboardEvent<HTMLTableElement>): void {
  const cell = (event.target as HTMLElement).closest("td");
  const row = cell?.closest("tr");
  if (cell === null || row === null || row === undefined) return;
  const goal = {
    ArrowRight: cell.nextElementSibling,
    ArrowLeft: cell.previousElementSibling,
    ArrowDown: row.nextElementSibling?.children[cell.cellIndex],
    ArrowUp: row.previousElementSibling?.children[cell.cellIndex],
  }[event.key];
  const button = goal?.querySelector("button");
  if (button === undefined || button === null) return;
  event.preventDefault();
  button.focus();
}

function Why({ tool, agent }: { readonly tool: string; readonly agent: string | undefined }): ReactNode {
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

function Rules(): ReactNode {
  const { data, error, refetch } = useApi("/policy");
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the rules" />;
  return (
    <div className="overview">
      {[...data.problems, ...data.warnings.map(({ message }) => message)].map((text) => (
        <p key={text} className="reason">
          {text}
        </p>
      ))}
      {data.settings.length === 0 ? (
        <Nothing title="No rules">Every caller may use every tool. Draft a change in the next tab.</Nothing>
      ) : (
        <Table label="Rules in force" columns={["Rule", "Value", "Defined in"]}>
          {data.settings.map(({ key, value, origin }) => (
            <tr key={key}>
              <th scope="row">
                <code>{key}</code>
              </th>
              <td>
                <code>{JSON.stringify(value)}</code>
              </td>
              <td className="small soft">{origin}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}
