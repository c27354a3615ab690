import type { ReactNode } from "react";
import { Link } from "wouter";
import { pageOf } from "../api/client.ts";
import type { ToolExplanation, ToolResult } from "../api/types.ts";
import { useApi } from "../api/use-api.ts";
import { Badge } from "./badge.tsx";
import { Took } from "./call-table.tsx";
import { Json } from "./json.tsx";
import { Sentence } from "./sentence.tsx";

export interface CallAnswer {
  readonly approved: boolean;
  /** Who answered. */
  readonly by: string;
}

interface AgentCallProps {
  readonly agent: string;
  readonly tool: string;
  readonly input: unknown;
  readonly result: ToolResult | undefined;
  /** What a person said about it, if somebody was asked. */
  readonly answer: CallAnswer | undefined;
  readonly isWaiting: boolean;
  readonly isRunning: boolean;
}

/** A call of an agent: what decided about it, what it was given, and what came of it. */
export function AgentCall({ agent, tool, input, result, answer, isWaiting, isRunning }: AgentCallProps): ReactNode {
  return (
    <li className="agent-call" aria-label={`Call of ${tool}`}>
      <p className="badges">
        <Link href={pageOf(tool)}>
          <code>{tool}</code>
        </Link>
        <Outcome result={result} isWaiting={isWaiting} isRunning={isRunning} />
        {result !== undefined && result.meta.callId !== "" && (
          <span className="small">
            <Took call={result.meta} /> <Link href={`/live?call=${encodeURIComponent(result.meta.callId)}`}>Show the call</Link>
          </span>
        )}
      </p>
      <p className="small soft">
        <Why tool={tool} agent={agent} />
        {answer !== undefined && ` ${answer.approved ? "Approved" : "Denied"} by ${answer.by}.`}
      </p>
      {result?.ok === false && <p className="agent-call-error">{result.error}</p>}
      <details>
        <summary className="small">Arguments{result?.ok === true && " and result"}</summary>
        {input !== undefined && <Json label={`Arguments of ${tool}`} value={input} />}
        {result?.ok === true && (
          <pre tabIndex={0} aria-label={`Result of ${tool}`}>
            {result.content === "" ? JSON.stringify(result.data) : result.content}
          </pre>
        )}
      </details>
    </li>
  );
}

function Outcome({ result, isWaiting, isRunning }: Pick<AgentCallProps, "result" | "isWaiting" | "isRunning">): ReactNode {
  if (result !== undefined) return <Badge meaning={result.ok ? "good" : "bad"}>{result.ok ? "done" : result.code}</Badge>;
  if (isWaiting) return <Badge meaning="warn">waits for a person</Badge>;
  return <Badge>{isRunning ? "running" : "no answer"}</Badge>;
}

/** What the policy says about the tool now, with the entry that decides. */
function Why({ tool, agent }: { readonly tool: string; readonly agent: string }): ReactNode {
  const { data } = useApi("/policy/explain", { query: { tool, caller: JSON.stringify({ agent }) } });
  if (data === undefined) return null;
  return <Sentence text={decisionOf(data)} />;
}

/** "Allowed at agents.demo.tools.allow by `*_lookup`." */
function decisionOf({ known, allowed, decision, trace, sentences }: ToolExplanation): string {
  if (!known || !allowed) return sentences[0] ?? "";
  const entries = trace.filter(({ outcome, entry }) => outcome === "keeps" && entry !== undefined);
  const by = entries.map(({ label, entry }) => `at ${label} by \`${entry}\``).join(", ");
  const asks = decision?.ask === undefined ? "" : " A person has to approve each call.";
  return `Allowed${by === "" ? "; no rule hides it" : ` ${by}`}.${asks}`;
}
