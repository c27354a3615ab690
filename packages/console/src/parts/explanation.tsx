import type { ReactNode } from "react";
import type { Explanation } from "../api/types.ts";
import { Badge, type Meaning } from "./badge.tsx";

const outcomes: Readonly<Record<string, Meaning>> = { hides: "bad", keeps: "good", asks: "warn", "sets-aside": "quiet" };

/** Why a caller may or may not use a tool: the verdict in sentences, then the way it went. */
export function ExplanationView({ explanation }: { readonly explanation: Explanation }): ReactNode {
  const { allowed, decision, sentences, trace, checks } = explanation;
  const verdict = allowed ? (decision?.ask === undefined ? "allowed" : "asks first") : "hidden";
  return (
    <div className="explanation">
      <p>
        <Badge meaning={allowed ? (decision?.ask === undefined ? "good" : "warn") : "bad"}>{verdict}</Badge>
      </p>
      {sentences.map((sentence, index) => (
        <p key={index}>{sentence}</p>
      ))}
      {trace.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col">Does</th>
              <th scope="col">Entry</th>
              <th scope="col">Written at</th>
            </tr>
          </thead>
          <tbody>
            {trace.map((line, index) => (
              <tr key={index}>
                <td>{line.label}</td>
                <td>
                  <Badge meaning={outcomes[line.outcome] ?? "quiet"}>{line.outcome}</Badge>
                </td>
                <td>
                  <code>{line.entry}</code>
                </td>
                <td className="small soft">
                  {line.source}
                  {line.remedy !== undefined && <div>{line.remedy}</div>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {checks.length > 0 && (
        <>
          <h3>Each call is held against</h3>
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
