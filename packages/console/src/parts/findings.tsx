import type { ReactNode } from "react";
import type { DefinitionTrust } from "../api/types.ts";
import { Badge } from "./badge.tsx";
import { Table } from "./table.tsx";

/** What the scanner finds in the words of a tool. */
export function Findings({ label, findings }: { readonly label: string; readonly findings: DefinitionTrust["findings"] }): ReactNode {
  if (findings.length === 0) return null;
  return (
    <Table label={label} columns={["Severity", "Where", "Finding", "Evidence"]}>
      {findings.map(({ rule, severity, path, message, evidence }, index) => (
        <tr key={index}>
          <th scope="row">
            <Badge {...meanings[severity]}>{severity}</Badge>
          </th>
          <td>
            <code>{path}</code>
          </td>
          <td>
            {message} <span className="small soft">{rule}</span>
          </td>
          <td>{evidence}</td>
        </tr>
      ))}
    </Table>
  );
}

const meanings = { danger: { meaning: "bad" }, warning: { meaning: "warn" }, info: {} } as const;
