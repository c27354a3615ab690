import { type ReactNode, useMemo, useState } from "react";
import type { PlannedTool } from "../api/types.ts";
import { FilterInput } from "../parts/filter-input.tsx";
import { Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";

interface OperationsProps {
  readonly tools: readonly PlannedTool[];
  /** "GET /pets" … */
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
  readonly onShow: (operation: string) => void;
}

/** The operations of a document: choose them one by one, by tag, or those that a filter shows. */
export function Operations({ tools, chosen, onChange, onShow }: OperationsProps): ReactNode {
  const [filter, setFilter] = useState("");
  const tags = useMemo(() => countTags(tools), [tools]);
  const words = filter.toLowerCase();
  const shown = tools.filter(({ name, operation, description, tags: own }) =>
    `${name} ${operation} ${own.join(" ")} ${description}`.toLowerCase().includes(words),
  );
  const set = (operations: readonly string[], isIn: boolean): void => {
    const next = new Set(chosen);
    for (const operation of operations)
      if (isIn) next.add(operation);
      else next.delete(operation);
    onChange(next);
  };
  const tokens = tools.reduce((sum, tool) => sum + (chosen.has(tool.operation) ? tool.tokens : 0), 0);
  if (tools.length === 0) return <Nothing title="No operation can be a tool">See above what was refused, and why.</Nothing>;
  return (
    <>
      <div className="operation-tools">
        <FilterInput label="Filter operations" value={filter} onChange={setFilter} />
        <button
          type="button"
          onClick={() =>
            set(
              shown.map(({ operation }) => operation),
              true,
            )
          }
        >
          Choose shown
        </button>
        <button
          type="button"
          onClick={() =>
            set(
              shown.map(({ operation }) => operation),
              false,
            )
          }
        >
          Leave out shown
        </button>
        <span className="small soft" role="status">
          {chosen.size} of {tools.length} chosen, about {tokens} tokens
        </span>
      </div>
      {tags.length > 1 && (
        <div className="operation-tags" role="group" aria-label="Tags">
          {tags.map(({ tag, operations }) => (
            <label key={tag} className="choice">
              <input
                type="checkbox"
                checked={operations.every((operation) => chosen.has(operation))}
                onChange={({ target }) => set(operations, target.checked)}
              />{" "}
              {tag} ({operations.filter((operation) => chosen.has(operation)).length} of {operations.length})
            </label>
          ))}
        </div>
      )}
      {shown.length === 0 ? (
        <Nothing title="No matching operation">Shorten the filter.</Nothing>
      ) : (
        <>
          <Table label="Operations" columns={["Operation", "Tool", "Tokens"]} hasActions>
            {shown.slice(0, maxRows).map(({ operation, name, description, tokens: own, deprecated }) => (
              <tr key={operation}>
                <th scope="row">
                  <label className="choice">
                    <input type="checkbox" checked={chosen.has(operation)} onChange={({ target }) => set([operation], target.checked)} />{" "}
                    <code>
                      <span className="method">{operation.slice(0, operation.indexOf(" "))}</span>
                      {operation.slice(operation.indexOf(" "))}
                    </code>
                  </label>
                </th>
                <td>
                  <code>{name}</code>
                  <div className="small soft">
                    {deprecated ? "Deprecated. " : ""}
                    {firstWords(description)}
                  </div>
                </td>
                <td>{own}</td>
                <td>
                  <button type="button" onClick={() => onShow(operation)}>
                    Try<span className="only-read"> {operation}</span>
                  </button>
                </td>
              </tr>
            ))}
          </Table>
          {shown.length > maxRows && (
            <p className="small soft">
              The first {maxRows} of {shown.length} operations are shown: use the filter to see others. The buttons above work on all{" "}
              {shown.length}.
            </p>
          )}
        </>
      )}
    </>
  );
}

const maxRows = 100;

function firstWords(text: string): string {
  return text.length <= 160 ? text : `${text.slice(0, 160).trimEnd()}…`;
}

/** The most frequent tags, each with its operations. */
function countTags(tools: readonly PlannedTool[]): readonly { readonly tag: string; readonly operations: readonly string[] }[] {
  const byTag = new Map<string, string[]>();
  for (const { operation, tags } of tools) {
    for (const tag of tags.length === 0 ? ["without a tag"] : tags) byTag.set(tag, [...(byTag.get(tag) ?? []), operation]);
  }
  return [...byTag]
    .map(([tag, operations]) => ({ tag, operations }))
    .sort((a, b) => b.operations.length - a.operations.length)
    .slice(0, 40);
}
