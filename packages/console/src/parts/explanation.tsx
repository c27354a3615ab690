import type { ReactNode } from "react";
import type { ToolExplanation } from "../api/types.ts";
import { Badge, type Meaning } from "./badge.tsx";
import { Sentence } from "./sentence.tsx";
import { Table } from "./table.tsx";

const outcomes: ReadonlyMap<string, Meaning> = new Map([
  ["hides", "bad"],
  ["keeps", "good"],
  ["asks", "warn"],
  ["sets-aside", "quiet"],
]);

/** Why a caller may or may not use a tool: the verdict in sentences, then the way it went. */
export function ExplanationView({ explanation }: { readonly explanation: ToolExplanation }): ReactNode {
  const { allowed, decision, sentences, trace, checks } = explanation;
  const remedies = [...new Set(trace.flatMap(({ remedy }) => remedy ?? []))];
  const told = sentences.filter((sentence) => !remedies.includes(sentence.replace(/\.$/, "")));
  const verdict = allowed ? (decision?.ask === undefined ? "allowed" : "needs approval") : "hidden";
  return (
    <div className="explanation">
      <p>
        <Badge meaning={allowed ? (decision?.ask === undefined ? "good" : "warn") : "bad"}>{verdict}</Badge>
      </p>
      {told.map((sentence, index) => (
        <p key={index}>
          <Sentence text={sentence} />
        </p>
      ))}
      {remedies.length > 0 && (
        <div className="reason">
          <strong>How to change it</strong>
          {remedies.map((remedy) => (
            <p key={remedy}>{remedy}</p>
          ))}
        </div>
      )}
      {trace.length > 0 && (
        <Table label="Each step of the decision" columns={["Step", "Effect", "Rule", "Entry", "Defined in"]}>
          {trace.map((line, index) => (
            <tr key={index}>
              <th scope="row">{line.step ?? "before the policy"}</th>
              <td>
                <Badge meaning={outcomes.get(line.outcome) ?? "quiet"}>{line.outcome.replaceAll("-", " ")}</Badge>
              </td>
              <td>
                <code>{line.rule}</code>
              </td>
              <td>{line.entry === undefined ? <span className="soft">none</span> : <code>{line.entry}</code>}</td>
              <td className="small">
                <code>{line.label}</code> <span className="soft">{line.source}</span>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {checks.length > 0 && (
        <>
          <h3>Conditions for each call</h3>
          <ul>
            {checks.map((check, index) => (
              <li key={index}>
                {check.text} <span className="small soft">{check.source}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
