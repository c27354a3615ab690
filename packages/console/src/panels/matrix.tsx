import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { Link } from "wouter";
import { pageOf } from "../api/client.ts";
import { useApi } from "../api/use-api.ts";
import { decisions, lookOf } from "../parts/decision.tsx";
import { FilterInput } from "../parts/filter-input.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { useVisibleRows } from "../parts/visible-rows.ts";
import { type ToolForAgent, WhyDialog, type WhyHandle } from "../parts/why-dialog.tsx";
import "./matrix.css";

type Row = { readonly tool: string; readonly index: number };
type Column = { readonly agent?: string; readonly cells: string };

/** All tools against all agents; a cell tells why. */
export function Matrix(): ReactNode {
  const [showsHostless, setShowsHostless] = useState(false);
  const [offset, setOffset] = useState(0);
  const { data, error, refetch } = useApi("/policy/matrix", {
    query: { ...(showsHostless && { all: true }), ...(offset > 0 && { offset }) },
  });
  const [filter, setFilter] = useState("");
  const why = useRef<WhyHandle>(null);
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the policy" />;
  const shown = data.tools.flatMap((tool, index) => (tool.toLowerCase().includes(filter.toLowerCase()) ? [{ tool, index }] : []));
  const { next } = data;
  return (
    <div className="matrix-view">
      <div className="matrix-head">
        <FilterInput label="Filter tools" value={filter} onChange={setFilter} />
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
        <Cells rows={shown} columns={data.rows} onChoose={(cell) => why.current?.open(cell)} />
      )}
      <p className="soft small" role="status">
        {shown.length === data.tools.length ? shown.length : `${shown.length} of ${data.tools.length}`}{" "}
        {data.tools.length === 1 ? "tool" : "tools"}, {data.rows.length} {data.rows.length === 1 ? "caller" : "callers"}
      </p>
      {(offset > 0 || next !== undefined) && (
        <p className="buttons">
          <button type="button" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - callersAtOnce))}>
            Previous agents
          </button>
          <button type="button" disabled={next === undefined} onClick={() => setOffset(next ?? 0)}>
            Next agents
          </button>
        </p>
      )}
      {(data.withoutHost > 0 || showsHostless) && (
        <p className="buttons soft small">
          {showsHostless ? "Known tools without a host are shown." : `${data.withoutHost} known tools without a host are left out.`}{" "}
          <button type="button" aria-pressed={showsHostless} onClick={() => setShowsHostless(!showsHostless)}>
            {showsHostless ? "Leave them out" : "Show them"}
          </button>
        </p>
      )}
      <WhyDialog ref={why} />
    </div>
  );
}

/** Of one page of the API. */
const callersAtOnce = 200;

/** Any number of rows: only those in view are on the page. */
function Cells({
  rows,
  columns,
  onChoose,
}: {
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  readonly onChoose: (cell: ToolForAgent) => void;
}): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const { first, end } = useVisibleRows(box, rows.length, rowHeight);
  return (
    <div ref={box} className="matrix-box" role="region" aria-label="Tools and agents" tabIndex={0}>
      <table className="matrix" aria-rowcount={rows.length + 1} onKeyDown={moveInMatrix}>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            {columns.map(({ agent }) => (
              <th key={agent ?? ""} scope="col" title={agent}>
                {agent ?? "unknown caller"}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <tr className="matrix-rest" aria-hidden="true" style={{ height: first * rowHeight }} />}
          {rows.slice(first, end).map(({ tool, index }, position) => (
            <tr key={tool} aria-rowindex={first + position + 2} style={{ height: rowHeight }}>
              <th scope="row" title={tool}>
                <Link href={pageOf(tool, "?tab=access")}>
                  <code>{tool}</code>
                </Link>
              </th>
              {columns.map(({ agent, cells }) => {
                const { word, meaning, mark } = lookOf(cells[index]);
                return (
                  <td key={agent ?? ""}>
                    <button
                      type="button"
                      className={`cell ${meaning}`}
                      aria-label={`${tool} for ${agent ?? "an unknown caller"}: ${word}. Explain`}
                      onClick={() => onChoose({ tool, agent })}
                    >
                      {mark}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
          {end < rows.length && <tr className="matrix-rest" aria-hidden="true" style={{ height: (rows.length - end) * rowHeight }} />}
        </tbody>
      </table>
    </div>
  );
}

/** As in matrix.css. */
const rowHeight = 36;

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
