import type { ReactNode } from "react";
import type { DefinitionTrust } from "../api/types.ts";
import { Badge } from "./badge.tsx";
import "./question.css";

/** What the scanner finds in the words of a tool: in a list, which fits a narrow column as well. */
export function Findings({ label, findings }: { readonly label: string; readonly findings: DefinitionTrust["findings"] }): ReactNode {
  if (findings.length === 0) return null;
  return (
    <ul className="facts-of-definition" aria-label={label}>
      {findings.map(({ rule, severity, path, message, evidence, accepted }, index) => (
        <li key={index}>
          <p>
            <Badge {...meanings[severity]}>{severity}</Badge> <code>{path === "" ? "/" : path}</code>{" "}
            <span className="small soft">{rule}</span>
          </p>
          <p>{message}</p>
          {evidence !== "" && <q>{evidence}</q>}
          {accepted !== undefined && <p className="small soft">Accepted: {accepted}</p>}
        </li>
      ))}
    </ul>
  );
}

const meanings = { danger: { meaning: "bad" }, warning: { meaning: "warn" }, info: {} } as const;
