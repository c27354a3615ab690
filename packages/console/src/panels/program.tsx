import type { ReactNode } from "react";
import { Link } from "wouter";
import { useApi } from "../api/use-api.ts";
import type { StoredDefinition } from "../api/types.ts";
import { ChainGraph } from "../parts/chain-graph.tsx";
import { Findings } from "../parts/findings.tsx";
import { Json } from "../parts/json.tsx";
import { SourceLines } from "../parts/source-lines.tsx";
import { Failed, Loading } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";

/** How a stored tool runs: its program with line numbers, or its chain as a graph; what it may call, and what is wrong. */
export default function Program({ id }: { readonly id: string }): ReactNode {
  const { data, error, refetch } = useApi("/lifecycle/{id}", { params: { id } });
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the stored definition" />;
  const { name: tool, calls, problem, findings, implementation = {} } = data;
  return (
    <div className="overview">
      {problem !== undefined && (
        <pre role="alert" className="reason">
          {problem}
        </pre>
      )}
      {calls === undefined ? <Json label="Implementation" value={implementation} /> : <Content definition={data} />}
      {calls !== undefined && (
        <p>
          {calls.length === 0 ? "It calls no tools." : "It may call, of what its caller may call: "}
          {calls.map((name, index) => (
            <span key={name}>
              {index > 0 && ", "}
              <Link href={`/tools/${encodeURIComponent(name)}`}>
                <code>{name}</code>
              </Link>
            </span>
          ))}
        </p>
      )}
      <Findings label={`Findings in ${tool}`} findings={findings} />
      {calls !== undefined && (
        <p>
          <Link href={`/stored-tool?tool=${encodeURIComponent(tool)}`}>Change it</Link>
          <span className="soft"> A changed definition waits for a new approval.</span>
        </p>
      )}
    </div>
  );
}

interface Step {
  readonly id: string;
  readonly tool: string;
  readonly input?: unknown;
  readonly retries?: number;
  readonly continueOnError?: boolean;
}

function Content({ definition: { implementation = {}, kind, order, name } }: { readonly definition: StoredDefinition }): ReactNode {
  if (kind === "code") return <SourceLines label={`Program of ${name}`} source={String(implementation["source"])} />;
  const steps = (implementation["steps"] ?? []) as readonly Step[];
  const returned = String(implementation["returnStep"] ?? steps.at(-1)?.id);
  const toolOf = (id: string): string => steps.find((step) => step.id === id)?.tool ?? "";
  return (
    <>
      {order !== undefined && <ChainGraph graph={order} toolOf={toolOf} returned={returned} />}
      <Table label={`Steps of ${name}`} columns={["Step", "Tool", "Input", "When it fails"]}>
        {steps.map((step, index) => (
          <tr key={index}>
            <th scope="row">
              <code>{String(step.id)}</code>
              {step.id === returned && <span className="small soft"> result</span>}
            </th>
            <td>
              <code>{String(step.tool)}</code>
            </td>
            <td>
              <code>{JSON.stringify(step.input ?? {})}</code>
            </td>
            <td>
              {[
                ...(step.retries === undefined ? [] : [`tried ${step.retries} more times`]),
                step.continueOnError === true || (implementation["continueOnError"] === true && step.continueOnError !== false)
                  ? "the chain goes on"
                  : "the chain fails",
              ].join(", then ")}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
